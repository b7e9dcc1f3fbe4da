/** The `serviceUrl` of activities of our own Direct Line. It is not an address: nothing that arrives over HTTP may carry it. */
export const ownServiceUrl = 'urn:countersign:directline';
