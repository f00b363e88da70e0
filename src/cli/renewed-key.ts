import { operator } from '#projects/access'
import type { Keys } from '#projects/keys'
import { createSemaphore } from '#world/slots'
import type { World } from '#world/world'

interface RenewedKeySettings {
  keys: Pick<Keys, 'create' | 'revoke'>
  projectId: number
  key: { name: string; scopes: readonly string[] }
  world: Pick<World, 'now'>
}

interface MadeKey {
  id: string
  text: string
  madeAt: Date
}

const hourMs = 3_600_000
const renewedAfterMs = 23 * hourMs

const commandLineViewer = operator('command line')

/**
 * A secret key of a command that may run for weeks. It works for a day, so that the key of a command that was killed
 * does not stay, and the next one is made before that. One that was revoked is not replaced.
 */
export class RenewedKey {
  private made: MadeKey | undefined
  private readonly oneAtATime = createSemaphore(1)

  constructor(private readonly settings: RenewedKeySettings) {}

  text(): Promise<string> {
    return this.oneAtATime(async () => {
      if (this.made && this.isOld(this.made) && (await this.revoke())) this.made = undefined
      this.made ??= await this.create()
      return this.made.text
    })
  }

  /** Returns false if it was revoked before. */
  async revoke(): Promise<boolean> {
    const { made, settings } = this
    if (!made) return true
    return (await settings.keys.revoke(settings.projectId, made.id, commandLineViewer)).done
  }

  private isOld({ madeAt }: MadeKey): boolean {
    return this.settings.world.now().getTime() - madeAt.getTime() > renewedAfterMs
  }

  private async create(): Promise<MadeKey> {
    const { keys, projectId, key, world } = this.settings
    const madeAt = world.now()
    const created = await keys.create(projectId, { ...key, days: 1 }, commandLineViewer)
    if (created.done) return { id: created.key.id, text: created.text, madeAt }
    throw new Error(created.problems.map(({ message }) => message).join(' '))
  }
}
