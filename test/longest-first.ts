import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest by themselves. One that began last would keep a single core busy at the end of a run. */
const longest: readonly string[] = [
  'test/crashlab-product.test.ts',
  'test/crashlab.test.ts',
  'src/engine/embedded.test.ts',
  'src/insights/impossible.test.ts',
  'src/projects/authorization.test.ts',
  'src/retention/retention.test.ts',
  'src/engine/migrate.test.ts',
  'src/persons/identity-resolver.test.ts',
  'src/demo/fill-demo.test.ts',
  'test/simulate.test.ts',
  'src/insights/merged-persons.differential.test.ts',
  'src/insights/kinds/survey/survey.differential.test.ts',
  'src/demo/experiments.test.ts',
  'src/store/store.contract.test.ts',
  'src/server/parts/backup-scheduler.contract.test.ts',
  'src/posts/posts.contract.test.ts',
  'src/persons/eraser.contract.test.ts',
  'src/filters/operators.contract.test.ts',
  'src/projects/projects.contract.test.ts',
  'src/persons/override-squasher.contract.test.ts',
  'src/engine/engine.contract.test.ts',
  'test/studio/everywhere.test.ts',
  'test/start/life.test.ts',
  'test/wire/whole.test.ts',
  'test/studio/screenshots.test.ts',
  'test/ui/gallery.test.ts',
  'test/studio/surveys.test.ts',
  'test/studio/things.test.ts',
  'test/studio/rollouts.test.ts',
  'test/pages/fallbacks.test.ts',
  'test/studio/connect.test.ts',
  'test/start/demo.test.ts',
  'test/studio/posts.test.ts',
  'test/studio/live.test.ts',
  'test/studio/people.test.ts',
  'test/site/pages.test.ts',
  'test/wire/hostile.test.ts',
  'test/start/limits.test.ts',
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
