import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from './durations.json' with { type: 'json' }

const secondsOf = new Map(Object.entries(durations))

/** The files that took longest begin first: one that began last would keep a single core busy at the end of a run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => this.#seconds(other) - this.#seconds(one))
  }

  #seconds({ moduleId }: TestSpecification): number {
    return secondsOf.get(relative(this.ctx.config.root, moduleId)) ?? 0
  }
}
