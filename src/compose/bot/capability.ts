// What a capability is: a folder that the bot does without, opened from one list (docs/architecture.md#capabilities).
import type { z } from 'zod';
import type { Texts } from '../../../cards/index.ts';
import type { DescribedFlow, Flows, Services } from '../../../dialogs/index.ts';
import type { OnUnusable, OpenTurn, TurnLock, TurnLogic } from '../../bot/index.ts';
import type { AppId } from '../../contract/index.ts';
import type { DirectLine } from '../../directline/index.ts';
import type { AddressOwner, Interaction } from '../../interactions/index.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import type { Finding } from '../../platform/process/finding.ts';
import type { Environment } from '../../platform/settings/environment.ts';
import type { OwnedTables } from '../../storage/index.ts';
import type { ChatAssets, ChatPageOptions } from '../../web/index.ts';
import type { CoreSettings } from '../settings/core-settings.ts';
import type { Connection, Trial } from './connection.ts';
import type { CoreOptions } from './core-options.ts';
import type { Limits } from './limits.ts';
import type { Middleware } from './sdk.ts';

/** What a capability is opened with. */
export interface BotContext extends Omit<Connection, 'close' | 'open'> {
  readonly limits: Limits;
  /** One turn of a conversation at a time: a stop waits for all of them. */
  readonly lock: TurnLock;
  readonly onUnusable: OnUnusable;
  /** On a developer's machine only: what the process that started everything can do to the world. */
  readonly trial: Trial | undefined;
  /** What the capabilities before this one have brought for the dialogs. */
  readonly dialogs: DialogPorts;
  /** What an earlier capability of the list has opened; `undefined`: it is not part of this bot. */
  of<Opened extends OpenCapability>(capability: {
    open(bot: BotContext, options: never): Opened | undefined | Promise<Opened | undefined>;
  }): Opened | undefined;
}

/** What dialogs use if it is there. */
export interface DialogPorts extends Pick<Services, 'agents'> {
  readonly flows?: Flows | undefined;
  /** Bodies of cards in place of ours. */
  readonly redraw?: Texts['redraw'];
}

/** The page of a running bot that somebody opens. */
export interface Link {
  readonly label: string;
  readonly path: string;
  /** Only this machine may open it. */
  readonly local?: true;
}

/** The bot's server, once its own routes are on it. */
export interface Site {
  readonly http: HttpServer;
  /** Our own Direct Line, whose chats may have another way in. */
  readonly directLine: Pick<DirectLine, 'context' | 'turns'>;
  readonly services: Services;
  /** The person who started the bot reads of this page. */
  readonly announce: (page: Link) => void;
  readonly chat: {
    /** The addresses of the chat page's styles and scripts. */
    readonly assets: ChatAssets;
    /** The path at which a page of this server may frame the chat. Unset: none may. */
    readonly framedAt: string | undefined;
  };
}

/** What an open capability brings. Each member is an extension point; it has those that it needs. */
export interface OpenCapability {
  /** For the dialogs. */
  readonly dialogs?: DialogPorts;
  /** Changes of what the bot receives and sends. */
  readonly middleware?: readonly Middleware[];
  /** The outcomes that belong elsewhere than in a chat, and their delivery. */
  readonly addresses?: AddressOwner;
  /** The Direct Line that the chat page uses, if not our own. */
  readonly directLine?: Pick<ChatPageOptions, 'directLineUrl' | 'endConversation' | 'holdsToken' | 'issueToken' | 'renewToken'>;
  /** Adds its routes and sockets, and announces its pages for the person who started the bot. */
  serve?(site: Site): Promise<void> | void;
  /** Starts its own work. Now it can run turns in chats. */
  start?(turns: { readonly openTurn: OpenTurn; readonly run: TurnLogic }): void;
  /** Learns of a step of an interaction, and of its outcome once the chat has it. */
  notice?(interaction: Interaction): void;
  /** Ends its work. Nothing is lost: the next start continues. */
  close?(): Promise<void> | void;
}

/** A capability's own settings in the environment. */
export interface CapabilitySettings<Options extends object, Shape extends z.ZodRawShape> {
  /** Their forms; docs/operations.md lists their names and defaults. */
  readonly shape: Shape;
  /** What is wrong in files that they name, and in combinations: a line each. */
  faults?(set: Environment): readonly string[];
  /** The options that they stand for. @throws {SettingsError} when a file or folder cannot be used. */
  options(settings: CoreSettings & z.output<z.ZodObject<Shape>>, core: CoreOptions): Options;
  /** Lines of the doctor, each with the name of the check. It changes nothing; `patience` (ms) is for one request. */
  check?(settings: CoreSettings & z.output<z.ZodObject<Shape>>, patience: number): Promise<readonly (readonly [check: string, Finding])[]>;
}

/** A bot, as other platforms are told of it. */
export interface DescribedBot {
  readonly appId: string;
  /** Its host, with the port unless that is 443. */
  readonly host: string;
  /** The publisher. */
  readonly name: string;
  /** A colour: `#0b5d57`. */
  readonly accent: string;
  /** The apps that others may begin. */
  readonly apps: readonly AppId[];
  /** In English. */
  readonly flows: readonly DescribedFlow[];
}

/** What a capability adds to the command line. */
export interface CapabilityCommands {
  /** A command of its own. */
  readonly own?: {
    readonly name: string;
    /** What may follow the name: `<…>` is to be replaced, `[…]` may be left out. */
    readonly usage: string;
    /** A sentence or two for the help. Asked for its own help, the command prints it itself. */
    readonly does: string;
    /** Returns the exit code. `list`: all capabilities. @throws {SettingsError} if the command cannot be used. */
    run(words: readonly string[], environment: Environment, print: Print, list: readonly AnyCapability[]): Promise<number>;
  };
  /** What `countersign manifest` writes for another platform, under the word that selects it. */
  readonly manifest?: {
    readonly kind: string;
    /** JSON by path, and remarks for whoever writes them. */
    files(bot: DescribedBot): { readonly files: Readonly<Record<string, object>>; readonly remarks?: readonly string[] };
  };
  /** The flows in Teams' menu, and those that other platforms may begin: `countersign manifest` lists them. */
  flows?(environment: Environment): Pick<Flows, 'described' | 'offered'>;
}
type Print = (line: string) => void;

/** A capability with the options that it adds to a bot's. */
export interface Capability<
  Options extends object = object,
  Opened extends OpenCapability = OpenCapability,
  Shape extends z.ZodRawShape = Record<never, z.ZodType>,
> {
  /** As in docs/architecture.md. */
  readonly name: string;
  /** Unset: it has none. */
  readonly settings?: CapabilitySettings<Options, Shape>;
  /** Its own tables. Unset: it has none. */
  readonly tables?: OwnedTables;
  /** Unset: the command line does not know it. */
  readonly commands?: CapabilityCommands;
  /**
   * Opens it before the bot's own parts; `undefined`: these options do not ask for it.
   * @throws {SettingsError} when an option cannot be used, with nothing left open.
   */
  open(bot: BotContext, options: CoreOptions & Options): Opened | undefined | Promise<Opened | undefined>;
}

/** A capability of whatever options and settings. */
export type AnyCapability = Capability<object, OpenCapability, z.ZodRawShape>;

/** The tables of these capabilities. */
export const ownedTables = (list: readonly AnyCapability[]): readonly OwnedTables[] => list.flatMap(({ tables }) => tables ?? []);

/** The options that these capabilities add. */
export type OptionsOf<List extends readonly AnyCapability[]> = Joined<List[number] extends infer One ? OptionsOfOne<One> : never>;
/** The settings that these capabilities add. */
export type SettingsOf<List extends readonly AnyCapability[]> = Joined<List[number] extends infer One ? SettingsOfOne<One> : never>;
type SettingsOfOne<One> = One extends { readonly settings?: { readonly shape: infer Shape extends z.ZodRawShape } }
  ? keyof Shape extends never
    ? object
    : z.output<z.ZodObject<Shape>>
  : never;
type OptionsOfOne<One> = One extends { open(bot: BotContext, options: CoreOptions & infer Options): unknown } ? Options : never;
type Joined<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never;

/** The capabilities of a bot, opened in the order of their list. */
export type OpenCapabilities = Awaited<ReturnType<typeof openCapabilities>>;

/** @throws {SettingsError} when an option cannot be used, with nothing left open. */
export const openCapabilities = async (list: readonly AnyCapability[], bot: Omit<BotContext, 'dialogs' | 'of'>, options: CoreOptions) => {
  const opened = new Map<unknown, OpenCapability>();
  const all = () => [...opened.values()];
  const dialogs = (): DialogPorts => Object.assign({}, ...all().map((one) => one.dialogs));
  const closeAll = async () => {
    await Promise.all(all().map((one) => one.close?.()));
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll());
  const of: BotContext['of'] = <Opened extends OpenCapability>(capability: unknown) => opened.get(capability) as Opened | undefined;
  try {
    for (const capability of list) {
      const one = await capability.open({ ...bot, of, dialogs: dialogs() }, options);
      if (one) opened.set(capability, one);
    }
  } catch (fault) {
    await close();
    throw fault;
  }
  return {
    dialogs: dialogs(),
    middleware: all().flatMap((one) => one.middleware ?? []),
    addresses: all().flatMap((one) => one.addresses ?? []),
    directLine: all().find((one) => one.directLine)?.directLine,
    serve: async (site: Site): Promise<void> => {
      for (const one of all()) await one.serve?.(site);
    },
    start: (turns: Parameters<NonNullable<OpenCapability['start']>>[0]): void => {
      for (const one of all()) one.start?.(turns);
    },
    notice: (interaction: Interaction): void => {
      for (const one of all()) one.notice?.(interaction);
    },
    /** Idempotent. */
    close,
  };
};
