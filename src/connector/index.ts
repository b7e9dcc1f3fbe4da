// The room's doorway: the Power Platform connector, its files and its operations.
export { connectorDefinition, connectorProperties } from './definition.ts';
export { addConnectorRoutes } from './routes.ts';
