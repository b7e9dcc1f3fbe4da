// The room's doorway: what programs may do, for agents that speak the Model Context Protocol.
export { addMcpRoutes } from './routes.ts';
