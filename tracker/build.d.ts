/** Builds every script that pages load from us into `folder`. */
export declare function buildTrackers(folder: string): Promise<void>
