/** The packages that are published from here, each after those it stands on. */
export const packageNames: readonly string[]
/** Builds a package into its own `dist`: a module for each of its exports, and their types. */
export function buildPackage(name: string): Promise<void>
/** Builds only the modules, into any folder. */
export function bundlePackage(name: string, outdir?: string): Promise<void>
