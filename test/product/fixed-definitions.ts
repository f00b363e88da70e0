import { FlagDefinitions } from '#flags/definitions'
import type { Flag } from '#flags/flag'

/** Flags that never change and are kept nowhere. */
export async function fixedDefinitions(flags: readonly Flag[]): Promise<FlagDefinitions> {
  const definitions = new FlagDefinitions({
    load: async () => ({ flags, cohorts: new Map(), projects: [], environments: [] }),
    onChange: () => () => {},
    snapshotFile: undefined,
    fail(problem) {
      throw problem
    },
  })
  await definitions.open()
  return definitions
}
