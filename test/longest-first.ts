import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest by themselves. One that began last would keep a single core busy at the end of a run. */
const longest: readonly string[] = [
  'test/crashlab.test.ts',
  'src/engine/embedded.test.ts',
  'src/retention/retention.test.ts',
  'src/engine/migrate.test.ts',
  'src/persons/identity-resolver.test.ts',
  'src/persons/eraser.contract.test.ts',
  'src/persons/override-squasher.contract.test.ts',
  'src/server/parts/backup-scheduler.contract.test.ts',
  'src/filters/operators.contract.test.ts',
  'src/store/store.contract.test.ts',
  'test/wire/whole.test.ts',
  'test/ui/gallery.test.ts',
  'test/start/without.test.ts',
  'test/start/life.test.ts',
]

/** Vitest's own order, of files by what they took before or by their size, after the longest files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => this.#rank(one) - this.#rank(other))
  }

  #rank({ moduleId }: TestSpecification): number {
    const index = longest.indexOf(relative(this.ctx.config.root, moduleId))
    return index === -1 ? longest.length : index
  }
}
