/** Builds every script that pages load from us into `folder`. */
export declare function buildTrackers(folder: string): Promise<void>
/** Builds the script that pages with flags may hold in their head. */
export declare function buildFlagsHead(): Promise<string>
