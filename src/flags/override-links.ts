import { z } from 'zod'
import type { FlagDefinitions } from './definitions'
import type { Seal } from './seal'
import { requireRight, type Viewer } from '#projects/access'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { ForcedFlags } from '#wire/dialect'
import type { World } from '#world/world'

interface Dependencies {
  seal: Seal
  world: World
  definitions: Pick<FlagDefinitions, 'find'>
}

interface OverrideLink {
  /** The path below the site's address for Tilth. */
  path: string
  until: Date
}

/** The most flags that fit into a cookie. */
const maxFlags = 20
const maxTokenLength = 3500
const sealPurpose = 'trying flags out'

export const linkInput = z.strictObject({
  /** The value of each flag: on, off, or a variant. */
  values: z
    .record(
      z.string(),
      z.union([z.boolean(), z.string()], { error: 'Say true, false or the key of a variant.' }),
    )
    .refine((values) => Object.keys(values).length > 0, 'Name a flag.')
    .refine((values) => Object.keys(values).length <= maxFlags, `Name at most ${maxFlags} flags.`),
  hours: z
    .number({ error: 'Say for how many hours.' })
    .min(1, 'Choose at least an hour.')
    .max(24 * 30, 'Choose at most 30 days.')
    .default(24),
})

const tokenContent = z.object({
  projectId: z.number(),
  values: z.record(z.string(), z.union([z.boolean(), z.string()])),
  until: z.iso.datetime(),
})

/** Override links (preview links, in texts for users), which force flag values in one browser: sealed, with an expiry, and stored only in that browser. */
export class OverrideLinks {
  constructor(private readonly dependencies: Dependencies) {}

  async make(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ link: OverrideLink }>> {
    requireRight('project:read', projectId, viewer)
    const parsed = parseInput(linkInput, input)
    if (!parsed.done) return parsed
    const { values, hours } = parsed.value
    const problem = this.objectionTo(projectId, values)
    if (problem !== undefined) return failedOutcome(problem, 'values')
    const until = new Date(this.dependencies.world.now().getTime() + hours * 3_600_000)
    const token = this.tokenFor({ projectId, values, until })
    if (token.length > maxTokenLength)
      return failedOutcome('That is more than a browser can keep. Name fewer flags.', 'values')
    return { done: true, link: { path: `/_tilth/qa?link=${token}`, until } }
  }

  /** Returns the forced values; undefined if the link has expired or was not sealed here. */
  read(token: string): ForcedFlags | undefined {
    if (token.length > maxTokenLength) return undefined
    const opened = this.dependencies.seal.open(`"${token}"`, sealPurpose)
    // only this server can have sealed it, but maybe an earlier version
    const read = opened === undefined ? undefined : tokenContent.safeParse(JSON.parse(opened)).data
    if (!read) return undefined
    const until = new Date(read.until)
    return until > this.dependencies.world.now() ? { ...read, until } : undefined
  }

  /** The sealed value is JSON text; its quotes are removed because a URL cannot contain them. */
  private tokenFor(forced: ForcedFlags): string {
    return this.dependencies.seal.close(JSON.stringify(forced), sealPurpose).slice(1, -1)
  }

  private objectionTo(projectId: number, values: ForcedFlags['values']): string | undefined {
    for (const [key, value] of Object.entries(values)) {
      const flag = this.dependencies.definitions.find(projectId, key)
      if (!flag || flag.archivedAt) return `There is no flag "${key}" in this project.`
      if (typeof value === 'string' && !flag.variants.some((variant) => variant.key === value))
        return `The flag "${key}" has no variant "${value}".`
    }
    return undefined
  }
}
