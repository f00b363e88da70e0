/** The packages for apps that talk to Tilth, each after those it stands on. */
export const packageNames: readonly string[]
/** Builds a package and packs it as npm would publish it: `react` becomes `react-0.1.0.tgz` in the folder. */
export function packPackage(
  name: string,
  folder: string,
  npm: (args: readonly string[]) => Promise<unknown>,
): Promise<void>
/** Builds only the modules, into any folder. */
export function bundlePackage(name: string, outdir: string): Promise<void>
