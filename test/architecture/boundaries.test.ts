// Whoever emits an event or lets a timer ring catches nothing: an error in a handler ends the process, and so does a
// rejected promise that nobody awaits. Handlers therefore go through `errorBoundary`, or consist of nothing that fails.
import assert from 'node:assert/strict';
import type { Node } from 'oxc-parser';
import { Visitor } from 'oxc-parser';
import { allSources, lineOf, parseSource, type SourceFile } from './sources.ts';

// biome-ignore lint/suspicious/noExplicitAny: any node of a tree, told apart by its type
type Any = any;

const subscribing = new Set(['on', 'once', 'addListener', 'prependListener', 'addEventListener']);
const timers = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'nextTick']);

/** Calls that do not fail, or whose failure is itself an end: what is closed twice, cleared twice, or not there. */
const harmless = new Set([
  ...[
    'abort',
    'add',
    'at',
    'clear',
    'clearInterval',
    'clearTimeout',
    'close',
    'cork',
    'uncork',
    'delete',
    'destroy',
    'end',
    'exit',
    'get',
    'has',
  ],
  ...[
    'indexOf',
    'keys',
    'now',
    'off',
    'pause',
    'ping',
    'push',
    'refresh',
    'removeEventListener',
    'removeListener',
    'resume',
    'set',
    'shift',
  ],
  ...['splice', 'terminate', 'unref', 'values', 'entries', 'concat', 'min', 'max', 'Number', 'String', 'errorBoundary', 'faultFields'],
  ...[
    'map',
    'toString',
    'startsWith',
    'trim',
    'setHeader',
    'once',
    'on',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'callFields',
    'fullJitter',
  ],
  ...['failed'],
  ...['debug', 'info', 'warn', 'error', 'emit'],
]);

/** Calls that return a function which ends what they began. */
const unsubscribing = new Set(['subscribe', 'follow', 'enter', 'routeUpgrades']);

const nameOf = (callee: Any): string =>
  callee.type === 'Identifier'
    ? callee.name
    : callee.property?.type === 'PrivateIdentifier'
      ? `#${callee.property.name}`
      : (callee.property?.name ?? '');

const isFunction = (node: Any): boolean => /^(?:ArrowFunctionExpression|Function(?:Expression|Declaration))$/.test(node?.type);

/** The functions of a file by their names: constants, methods, declarations. */
const functionsOf = ({ program }: SourceFile): ReadonlyMap<string, Any> => {
  const found = new Map<string, Any>();
  const note = (name: string | undefined, node: Any) => {
    if (name === undefined || !node) return;
    // Two of one name cannot be told apart here.
    found.set(name, found.has(name) ? undefined : node);
  };
  new Visitor({
    VariableDeclarator: ({ id, init }: Any) => (isFunction(init) || init?.type === 'CallExpression') && note(id.name, init),
    FunctionDeclaration: (node: Any) => note(node.id?.name, node),
    MethodDefinition: ({ key, value }: Any) => note(key.type === 'PrivateIdentifier' ? `#${key.name}` : key.name, value),
    PropertyDefinition: ({ key, value }: Any) => note(key.type === 'PrivateIdentifier' ? `#${key.name}` : key.name, value),
  }).visit(program);
  return found;
};

const childrenOf = (node: Any): Any[] =>
  Object.entries(node).flatMap(([key, value]) =>
    key === 'parent' ? [] : [value].flat().filter((one) => one && typeof one === 'object' && 'type' in one),
  );

/** Names that a promise's executor gives: calling them never fails. */
const settlers = ({ program }: SourceFile): ReadonlySet<string> => {
  const names = new Set<string>();
  new Visitor({
    NewExpression: ({ callee, arguments: [executor] }: Any) => {
      if (callee.name === 'Promise' && isFunction(executor)) for (const one of executor.params) names.add(one.name);
    },
  }).visit(program);
  return names;
};

/** The names under which boundaries are kept. */
const boundedIn = (sources: readonly SourceFile[]): ReadonlySet<string> => {
  const names = sources.flatMap((source) =>
    [...functionsOf(source)].filter(([, node]) => node?.type === 'CallExpression' && nameOf(node.callee) === 'errorBoundary'),
  );
  return new Set(names.map(([name]) => name));
};

/** What may fail in a node, as its text; functions that are only made are not run. */
const makeRisks = (source: SourceFile, bounded: ReadonlySet<string>) => {
  const [functions, settling] = [functionsOf(source), settlers(source)];
  const textOf = ({ start, end }: Any) => source.text.slice(start, end).split('\n')[0]?.slice(0, 80) ?? '';

  const judged = new Map<Any, string[]>();
  const inFunction = (node: Any): string[] => {
    const known = judged.get(node);
    if (known) return known;
    // One that calls itself has no other risks than its own.
    judged.set(node, []);
    const found = risks(node.body);
    judged.set(node, found);
    return found;
  };
  /** What calling a handler risks. */
  const calling = (handler: Any): string[] => {
    if (isFunction(handler)) return inFunction(handler);
    if (handler.type === 'CallExpression' && nameOf(handler.callee) === 'errorBoundary') return [];
    const name = nameOf(handler);
    const known = functions.get(name);
    if (handler.type === 'Identifier' && settling.has(name)) return [];
    // What a subscription returns ends it.
    if (known?.type === 'CallExpression' && unsubscribing.has(nameOf(known.callee))) return [];
    if (bounded.has(name)) return [];
    if (known && known !== handler) return calling(known);
    return [textOf(handler)];
  };
  const risks = (node: Any): string[] => {
    if (isFunction(node)) return [];
    if (node.type === 'ThrowStatement') return [textOf(node)];
    if (node.type === 'TryStatement' && node.handler)
      return [node.handler.body, ...(node.finalizer ? [node.finalizer] : [])].flatMap((one) => risks(one));
    // A promise with a catch; what begins it is taken not to throw before it has made one.
    if (node.type === 'CallExpression' && chainOf(node).some(({ name, size }) => name === 'catch' || (name === 'then' && size === 2)))
      return chainOf(node)
        .flatMap(({ handlers }) => handlers.filter(isFunction))
        .flatMap((one) => (one === lastCatch(node) ? calling(one) : []));
    const below = childrenOf(node).flatMap((child) => risks(child));
    if (node.type === 'AwaitExpression') return below;
    if (node.type !== 'CallExpression') return below;
    const name = nameOf(node.callee);
    // Handlers are judged where they are given.
    const passed = (
      subscribing.has(name) || timers.has(name) || bounded.has(name) || name === 'errorBoundary' ? [] : node.arguments.filter(isFunction)
    ).flatMap((one: Any) => inFunction(one));
    if (harmless.has(name) && !functions.has(name)) return [...below, ...passed];
    return [...below, ...passed, ...calling(node.callee)];
  };
  return { calling, risks };
};

interface Link {
  readonly name: string;
  readonly size: number;
  readonly handlers: readonly Any[];
}
/** The calls of a chain `a().then(b).catch(c)`. */
const chainOf = (node: Any): Link[] =>
  node?.type === 'CallExpression' && node.callee.type === 'MemberExpression'
    ? [{ name: nameOf(node.callee), size: node.arguments.length, handlers: node.arguments }, ...chainOf(node.callee.object)]
    : [];
const lastCatch = (node: Any): Any => chainOf(node).find(({ name }) => name === 'catch')?.handlers[0];

/** Whether a call is of a function of this file that returns no promise. */
const isSync = ({ callee }: Any, functions: ReadonlyMap<string, Any>): boolean => functions.get(nameOf(callee))?.async === false;

/** Handlers and unawaited promises that may end the process. */
const unboundedIn = (source: SourceFile, bounded = boundedIn([source])): string[] => {
  const { calling, risks } = makeRisks(source, bounded);
  const functions = functionsOf(source);
  const found: string[] = [];
  const blame = (node: Node, what: string, why: readonly string[]) => {
    if (why.length > 0) found.push(`${source.file}:${lineOf(source, node)} ${what}: ${why[0]}`);
  };
  new Visitor({
    CallExpression: (node: Any) => {
      const name = nameOf(node.callee);
      const [first, second] = node.arguments;
      if (timers.has(name) && first) blame(node, name, calling(first));
      const isEvent = first?.type === 'Literal' ? typeof first.value === 'string' : first?.type === 'Identifier';
      const handles = second && (isFunction(second) || ['Identifier', 'MemberExpression', 'CallExpression'].includes(second.type));
      if (node.callee.type === 'MemberExpression' && subscribing.has(name) && isEvent && handles)
        blame(node, `${name} ${first.value ?? first.name}`, calling(second));
    },
    UnaryExpression: (node: Any) => {
      if (node.operator !== 'void' || node.argument.type !== 'CallExpression' || isSync(node.argument, functions)) return;
      blame(node, 'void', risks(node.argument));
    },
  }).visit(source.program);
  return found;
};

/** Handlers that may fail, with the reason why that ends nothing. */
const allowed: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['on close', 'on error', 'on message', 'on open', 'on unexpected-response', 'setTimeout'].map((what) => [
      `src/compose/commands/checks/websocket.ts ${what}`,
      'a check of the doctor, which ends with its answer',
    ]),
  ),
  ...Object.fromEntries(
    ['on close', 'on error', 'on open', 'on unexpected-response', 'setTimeout'].map((what) => [
      `src/interactions/socket/service-connection.ts ${what}`,
      'its listeners contain the exceptions of whom they tell (#notify)',
    ]),
  ),
  'src/client/client.ts setTimeout': 'aborts calls',
  'src/desk/presence.ts setInterval': 'compares and serialises lists of this process',
  'src/directline/routes.ts void': 'turns that an earlier process left end by values',
  'src/directline/turn-dispatcher.ts void': 'a turn ends by a value, and what tells its failure contains its faults',
  'src/directline/streams.ts on close': 'removes a socket from a set',
  'src/directline/streams.ts setTimeout': 'settles a promise',
  'src/interactions/waiting/result-poller.ts void': 'its callers contain their faults (#try)',
  'src/interactions/socket/shared-socket.ts setTimeout': 'contains the exceptions of whom it tells (#notify)',
  'src/interactions/socket/socket.ts void': 'opens a socket to an address that the settings have checked',
  'src/interactions/waiting/watcher.ts setTimeout': 'begins steps that contain their faults',
  'src/platform/time/clock.ts setTimeout': 'rings for the scheduler, whose passes contain their faults',
  'src/platform/process/parents.ts setInterval': 'reads two files if there are, and begins a stop that contains its faults',
  'src/platform/database/postgres.ts on notification': 'its only hearer is the bus, which has a boundary',
  'src/platform/time/scheduler.ts setInterval': 'its passes contain their faults',
  'src/service/core/websocket/sockets.ts on headers': 'names a request, whatever it sent',
  'src/storage/shared-replica.ts on free': 'emitted by us, to listeners that contain their faults',
  'src/storage/shared-replica.ts on lost': 'emitted by us, to listeners that contain their faults',
};

const planted: readonly (readonly [what: string, text: string])[] = [
  ['on message', "socket.on('message', (data) => read(JSON.parse(data)));"],
  ['on upgrade', "const take = (req) => { decodeURIComponent(req.url); };\nserver.on('upgrade', take);"],
  ['once data', "stream.once('data', this.#take);"],
  ['on end', "socket.on('end', () => { throw new TypeError('ended'); });"],
  ['setInterval', 'class A { #look() { this.read(); }\n  begin() { setInterval(() => this.#look(), 5); } }'],
  ['setTimeout', 'const later = () => { void work(); };\nsetTimeout(later, 5);'],
  ['void', 'const look = async () => { await read(); };\nvoid look();'],
  ['on close', "socket.on('close', async () => { try { await leave(); } catch (fault) { tell(fault); } });"],
];

const kept: readonly string[] = [
  "socket.on('message', errorBoundary((data) => read(JSON.parse(data)), failed));",
  "const take = errorBoundary((req) => decodeURIComponent(req.url), failed);\nserver.on('upgrade', take);",
  "socket.on('close', () => { clearTimeout(timer); open.delete(id); });",
  'new Promise((resolve, reject) => { setTimeout(resolve, 5); });',
  'const look = async () => { try { await read(); } catch (fault) { log.warn(fault); } };\nvoid look();',
  'void act().catch((fault) => log.warn(fault));',
  "db.schema.createIndex('a').on('b', 5);",
];

describe('handlers of events and timers, and promises that nobody awaits', () => {
  const sources = allSources('ts');
  const bounded = boundedIn(sources);
  const found = sources.flatMap((source) => unboundedIn(source, bounded));
  const placeOf = (one: string) => one.replace(/:\d+ ([^:]+): .*$/s, ' $1');

  it('have a boundary for their errors, or cannot fail', () => {
    assert.deepEqual(
      found.filter((place) => !(placeOf(place) in allowed)),
      [],
    );
  });

  for (const [what, text] of planted)
    it(`are found: ${text.split('\n').at(-1)}`, () => {
      assert.match(unboundedIn(parseSource('planted.ts', text)).join('\n'), new RegExp(`planted\\.ts:\\d ${what}: `));
    });

  for (const text of kept)
    it(`are left alone: ${text.split('\n').at(-1)}`, () => assert.deepEqual(unboundedIn(parseSource('planted.ts', text)), []));

  it('are excused only where they need it', () => {
    assert.deepEqual([...new Set(found.map(placeOf))].filter((place) => place in allowed).sort(), Object.keys(allowed).sort());
  });
});
