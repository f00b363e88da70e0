import type { Answer } from '../../filters/filter'
import { isByProperties, withAllInside } from '../cohort-rules'
import type { Definitions } from '../definitions'
import type { Flag } from '../flag'

interface Ground {
  definitions: Definitions
  /** Everybody who is in a cohort, as ids of persons. */
  members(projectId: number, cohort: string): Promise<ReadonlySet<string>>
  fail(error: unknown): void
}

/** Who is in the cohorts that flags name and that properties do not decide, as of a few minutes ago. */
export class Memberships {
  private read: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  private reading: Promise<void> | undefined
  private isStale = false

  constructor(private readonly ground: Ground) {
    // a flag that names another cohort must not wait for the next round
    ground.definitions.onChange((projectId) => {
      if (this.isMissing(projectId)) void this.refresh().catch((error: unknown) => ground.fail(error))
    })
  }

  /** Unknown until it was read for the first time. */
  isIn(projectId: number, cohort: string, personId: string): Answer {
    return this.read.get(nameOf(projectId, cohort))?.has(personId) ?? 'unknown'
  }

  /** Reads all of them anew; where one cannot be read, what was read before stays. */
  async refresh(): Promise<void> {
    this.isStale = true
    this.reading ??= this.readUntilFresh().finally(() => (this.reading = undefined))
    await this.reading
  }

  /** A cohort that was named while the others were read is not among them. */
  private async readUntilFresh(): Promise<void> {
    while (this.isStale) {
      this.isStale = false
      await this.readAll()
    }
  }

  private async readAll(): Promise<void> {
    const next = new Map<string, ReadonlySet<string>>()
    for (const projectId of this.ground.definitions.projectIds()) {
      for (const cohort of this.named(projectId)) {
        const name = nameOf(projectId, cohort)
        const members = await this.membersOf(projectId, cohort)
        const known = members ?? this.read.get(name)
        if (known) next.set(name, known)
      }
    }
    this.read = next
  }

  private async membersOf(projectId: number, cohort: string): Promise<ReadonlySet<string> | undefined> {
    try {
      return await this.ground.members(projectId, cohort)
    } catch (error) {
      this.ground.fail(error)
      return undefined
    }
  }

  private isMissing(projectId: number): boolean {
    return this.named(projectId).some((cohort) => !this.read.has(nameOf(projectId, cohort)))
  }

  private named(projectId: number): string[] {
    const rules = this.ground.definitions.cohortsOf(projectId)
    const asked = this.ground.definitions.flagsOf(projectId).flatMap(cohortsNamedBy)
    return [...withAllInside(asked, rules)].filter((id) => !isByProperties(rules.get(id)))
  }
}

const nameOf = (projectId: number, cohort: string): string => `${projectId} ${cohort}`

/** In any environment. */
const cohortsNamedBy = ({ environments }: Flag): string[] =>
  Object.values(environments)
    .flatMap(({ conditions }) => conditions)
    .flatMap(({ conditions }) => conditions)
    .flatMap((one) => (one.type === 'cohort' ? [one.cohort] : []))
