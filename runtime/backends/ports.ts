// What backends need of the pack and of the operator's settings. What they need of one call is CallScope. Types only.
import type { Environment } from '../call/context/config.js';
import type { AskedQuestions } from '../call/context/questions.js';
import type { CallScope as PlainCall, Request, Settings } from '../call/ports.js';

/** One call; `questions`: who can be asked, where somebody can. */
export interface CallScope extends PlainCall {
  readonly questions?: AskedQuestions | undefined;
}

/** What all calls of a backend share. */
export interface BackendScope {
  /** The pack's folder; relative paths are meant from here. */
  readonly folder: string;
  /** The values of `config:`; `redact` removes secrets from a string. */
  readonly settings: Settings;
  /** For proxies, and for the programs that are started. */
  readonly env: Environment;
  /** For the operator, one line or several. Secrets are taken out before. */
  report(text: string): void;
  /** Other servers say that their lists changed, or a resource. */
  readonly notify?: Request['notify'] | undefined;
}

/** A backend that is open: it connects with the first call. */
export interface OpenBackend<Client> {
  /** For one call. */
  of(call: CallScope): Client;
  /** Ends connections and processes; calls that are under way fail. */
  close(): Promise<void>;
}
