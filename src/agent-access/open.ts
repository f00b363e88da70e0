import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { type HostResolver, Outbound } from '#outbound/outbound'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { AgentAccess } from './agent-access'
import { AgentClients } from './internal/clients'
import { AgentConsent } from './consent'
import { AgentTokens } from './internal/tokens'

interface OpenAgentAccessDependencies {
  store: Store
  world: World
  /** The value of TILTH_OUTBOUND_ALLOW. */
  allow: string | undefined
  resolve?: HostResolver | undefined
}

/** A member waits while the description of a program is read. */
const documentWithinMs = 5000

export function openAgentAccess({ store, world, allow, resolve }: OpenAgentAccessDependencies): AgentAccess {
  const allowlist = parseAllowlist(allow ?? '') ?? emptyAllowlist
  const outbound = new Outbound({ allowlist, resolve, withinMs: documentWithinMs })
  const clients = new AgentClients({ store, world, outbound })
  return new AgentAccess({
    store,
    world,
    clients,
    consent: new AgentConsent({ store, world, clients }),
    tokens: new AgentTokens({ store, world }),
  })
}
