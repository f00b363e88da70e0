import { z } from 'zod'
import type { Definitions } from '../flags/definitions'
import type { Seal } from '../flags/sealed'
import { requireRight, type Viewer } from '../projects/access'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Forced } from '../wire/dialect'
import type { World } from '../world/world'

interface Ground {
  seal: Seal
  world: World
  definitions: Pick<Definitions, 'find'>
}

export interface TryingLink {
  /** Below the address under which the site reaches Tilth. */
  path: string
  until: Date
}

/** More would not fit into a cookie. */
const mostFlags = 20
const longestToken = 3500
const about = 'trying flags out'

export const wanted = z.strictObject({
  /** By flag: on, off, or a variant. */
  values: z
    .record(
      z.string(),
      z.union([z.boolean(), z.string()], { error: 'Say true, false or the key of a variant.' }),
    )
    .refine((values) => Object.keys(values).length > 0, 'Name a flag.')
    .refine((values) => Object.keys(values).length <= mostFlags, `Name at most ${mostFlags} flags.`),
  hours: z
    .number({ error: 'Say for how many hours.' })
    .min(1, 'Choose at least an hour.')
    .max(24 * 30, 'Choose at most 30 days.')
    .default(24),
})

const kept = z.object({
  projectId: z.number(),
  values: z.record(z.string(), z.union([z.boolean(), z.string()])),
  until: z.iso.datetime(),
})

/** Links that show one browser what others will see: sealed by us, for a while, and kept by that browser alone. */
export class TryingLinks {
  constructor(private readonly ground: Ground) {}

  async make(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ link: TryingLink }>> {
    requireRight('project:read', projectId, viewer)
    const parsed = parse(wanted, input)
    if (!parsed.done) return parsed
    const { values, hours } = parsed.value
    const problem = this.objectionTo(projectId, values)
    if (problem !== undefined) return undone(problem, 'values')
    const until = new Date(this.ground.world.now().getTime() + hours * 3_600_000)
    const token = this.tokenFor({ projectId, values, until })
    if (token.length > longestToken)
      return undone('That is more than a browser can keep. Name fewer flags.', 'values')
    return { done: true, link: { path: `/_tilth/qa?link=${token}`, until } }
  }

  /** Undefined for what is over, and for what we have not sealed. */
  read(token: string): Forced | undefined {
    if (token.length > longestToken) return undefined
    const words = this.ground.seal.open(`"${token}"`, about)
    // only we can have sealed it, but an earlier version of us may have
    const read = words === undefined ? undefined : kept.safeParse(JSON.parse(words)).data
    if (!read) return undefined
    const until = new Date(read.until)
    return until > this.ground.world.now() ? { ...read, until } : undefined
  }

  /** What is sealed is JSON's text, whose quotes an address cannot hold. */
  private tokenFor(forced: Forced): string {
    return this.ground.seal.close(JSON.stringify(forced), about).slice(1, -1)
  }

  private objectionTo(projectId: number, values: Forced['values']): string | undefined {
    for (const [key, value] of Object.entries(values)) {
      const flag = this.ground.definitions.find(projectId, key)
      if (!flag || flag.archivedAt) return `There is no flag "${key}" in this project.`
      if (typeof value === 'string' && !flag.variants.some((variant) => variant.key === value))
        return `The flag "${key}" has no variant "${value}".`
    }
    return undefined
  }
}
