#!/usr/bin/env node
// The service’s process, on a Node that can run it.
import { runOnSupportedNode } from '../platform/process/supported-node.ts';

await runOnSupportedNode(() => import('./program.ts'));
