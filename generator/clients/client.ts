// The nouns of installing a server into a client: what a row of the table says, and what an entry of a configuration is.

/** The systems that clients run on, by Node's names; every other one is taken for Linux. */
export type System = 'linux' | 'darwin' | 'win32';

/** How the file is written. */
export type ConfigFormat = 'json' | 'toml' | 'yaml';

/** How a server is run, whatever the client. */
export interface ServerEntry {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What the file has for a server: plain data. */
export type EntryData = Readonly<Record<string, unknown>>;

export interface Client {
  /** What a person types: `claude-code`. */
  readonly id: string;
  readonly title: string;
  /** Other names that people type. */
  readonly aliases: readonly string[];
  readonly format: ConfigFormat;
  /** The keys that lead to the servers; none where the file itself is the list of them. */
  readonly path: readonly string[];
  /** A map by name, or a list of entries that carry their `name`. */
  readonly holds: 'map' | 'list';
  /**
   * The file of a user, by system; `~` is home, `{config}` the system's folder of application settings. Of several the
   * first that exists is used, else the first. A system without one has no such client.
   */
  readonly user: Readonly<Partial<Record<System, readonly string[]>>>;
  /** Where the marker is there, the client has moved the user's file. Forms as in `user`. */
  readonly migrated?: { readonly marker: string; readonly file: string };
  /** The file of a project, relative to it; `{server}` is the entry's name. */
  readonly project?: string;
  readonly entry: (server: ServerEntry) => EntryData;
  /** What a file that is made anew has besides. */
  readonly start?: (server: ServerEntry) => EntryData;
  /** What a person does after it. */
  readonly next: string;
}
