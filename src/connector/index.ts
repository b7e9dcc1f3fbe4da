// The doorway of the Power Platform connector: its files, and the operations that they name.
export { connectorDefinition, connectorProperties } from './definition.ts';
export { addConnectorRoutes } from './routes.ts';
