import type { World } from '#world/world'
import type { Engine } from './engine'

const atLeastEveryMs = 3_600_000

/**
 * A regular look at the engine that finds what it found before, unless what it depends on has changed. On a server it is
 * left out then, so that a managed one that is asked nothing may sleep; once an hour it is taken all the same.
 */
export class SparingLook {
  #latest: { state: string; at: Date } | undefined

  constructor(
    private readonly engine: Pick<Engine, 'health'>,
    private readonly world: Pick<World, 'now'>,
  ) {}

  async take(state: string, look: () => unknown): Promise<void> {
    const at = this.world.now()
    const latest = this.#latest
    const isKnown = latest?.state === state && at.getTime() - latest.at.getTime() < atLeastEveryMs
    if (isKnown && this.engine.health().form === 'remote') return
    await look()
    this.#latest = { state, at }
  }
}
