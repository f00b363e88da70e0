import { networkOf } from '../projects/origin'
import type { FlagListener, Stop, WrittenDefinitions } from '../wire/dialect'
import type { World } from '../world/world'

/** Every page that is open somewhere may listen, and a whole office may share an address. */
const most = { ofOneNetwork: 200, altogether: 4000 }

/** Who wants to hear that flags have changed. */
export class FlagListeners {
  private readonly all = new Map<FlagListener, { network: string; heard: string }>()
  private readonly perNetwork = new Map<string, number>()

  constructor(
    private readonly definitions: (projectId: number, environment: string) => WrittenDefinitions,
    private readonly world: Pick<World, 'now'>,
  ) {}

  /** Undefined where there are as many as may be. */
  listen(listener: FlagListener): Stop | undefined {
    const network = networkOf(listener.address)
    const others = this.perNetwork.get(network) ?? 0
    if (others >= most.ofOneNetwork || this.all.size >= most.altogether) return undefined
    this.perNetwork.set(network, others + 1)
    this.all.set(listener, { network, heard: this.substanceFor(listener) })
    return () => this.leave(listener)
  }

  /** Whose environment's flags are what they were hears nothing. */
  changed(projectId: number): void {
    for (const [listener, known] of this.all) {
      if (listener.projectId !== projectId) continue
      const substance = this.substanceFor(listener)
      if (substance === known.heard) continue
      known.heard = substance
      listener.tell({ substance, at: this.world.now() })
    }
  }

  private substanceFor({ projectId, environment }: FlagListener): string {
    return this.definitions(projectId, environment).substance
  }

  private leave(listener: FlagListener): void {
    const known = this.all.get(listener)
    if (!known || !this.all.delete(listener)) return
    const others = (this.perNetwork.get(known.network) ?? 1) - 1
    if (others > 0) this.perNetwork.set(known.network, others)
    else this.perNetwork.delete(known.network)
  }
}
