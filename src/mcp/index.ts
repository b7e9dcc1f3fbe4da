// The doorway of MCP: what programs may do, for agents that speak the Model Context Protocol.
export { addMcpRoutes } from './routes.ts';
