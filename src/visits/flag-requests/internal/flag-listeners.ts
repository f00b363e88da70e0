import { networkOf } from '#projects/origin'
import type { FlagListener, Unsubscribe, SerializedDefinitions } from '#wire/dialect'
import type { World } from '#world/world'

/** The limits are wide: every open page may listen, and a whole office may share an address. */
const maxListeners = { ofOneNetwork: 200, altogether: 4000 }

/** The open streams of changes to flags. */
export class FlagListeners {
  private readonly all = new Map<FlagListener, { network: string; heard: string }>()
  private readonly perNetwork = new Map<string, number>()

  constructor(
    private readonly definitions: (projectId: number, environment: string) => SerializedDefinitions,
    private readonly world: Pick<World, 'now'>,
  ) {}

  /** Adds a listener; undefined where the limit is reached. */
  add(listener: FlagListener): Unsubscribe | undefined {
    const network = networkOf(listener.address)
    const others = this.perNetwork.get(network) ?? 0
    if (others >= maxListeners.ofOneNetwork || this.all.size >= maxListeners.altogether) return undefined
    this.perNetwork.set(network, others + 1)
    this.all.set(listener, { network, heard: this.substanceFor(listener) })
    return () => this.remove(listener)
  }

  /** Notifies the listeners of environments in which flags have changed. */
  notify(projectId: number): void {
    for (const [listener, known] of this.all) {
      if (listener.projectId !== projectId) continue
      const substance = this.substanceFor(listener)
      if (substance === known.heard) continue
      known.heard = substance
      listener.notify({ substance, at: this.world.now() })
    }
  }

  /** Ends the streams of renewed or revoked keys; `isStillValid` says whether a key still names its environment. */
  endRevoked(isStillValid: (listener: FlagListener) => boolean): void {
    for (const listener of this.all.keys()) if (!isStillValid(listener)) listener.end()
  }

  private substanceFor({ projectId, environment }: FlagListener): string {
    return this.definitions(projectId, environment).substance
  }

  private remove(listener: FlagListener): void {
    const known = this.all.get(listener)
    if (!known || !this.all.delete(listener)) return
    const others = (this.perNetwork.get(known.network) ?? 1) - 1
    if (others > 0) this.perNetwork.set(known.network, others)
    else this.perNetwork.delete(known.network)
  }
}
