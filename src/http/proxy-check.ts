import type { Config } from '#server/config'
import type { DoctorFinding } from '#server/doctor'
import { readStore } from '#store/read-only'
import { isInsideNetwork } from './trusted-proxies'

type ProxyCheckConfig = Pick<Config, 'dataFolder' | 'storeUrl' | 'addressesAreGiven' | 'trustedProxies'>

const wrong = (found: string): DoctorFinding => ({ verdict: 'wrong', found, remedy: trustProxyRemedy })

/** Checks recent sign-ins for a proxy that is not in TILTH_TRUST_PROXY. */
export async function checkProxy(config: ProxyCheckConfig): Promise<DoctorFinding> {
  const signIns = await latestSignIns(config)
  if (signIns === undefined)
    return { verdict: 'skipped', found: 'The store could not be asked where members signed in from.' }
  return proxyFinding(signIns, config)
}

interface RecordedSignIn {
  address: string
  via: string
}

const newestSignIns = 'select address, via from sessions order by created_at desc limit 50'

async function latestSignIns(config: ProxyCheckConfig): Promise<RecordedSignIn[] | undefined> {
  try {
    const rows = await readStore(config, newestSignIns)
    return rows.map(({ address, via }) => ({ address: String(address), via: String(via) }))
  } catch {
    return undefined
  }
}

const trustProxyRemedy =
  'Set TILTH_TRUST_PROXY to the number of proxies in front, or to their networks: without it all visitors ' +
  'share the proxy’s address, in figures, limits and lists of sessions.'

function proxyFinding(signIns: readonly RecordedSignIn[], config: ProxyCheckConfig): DoctorFinding {
  const throughStranger = signIns.filter(({ via }) => via === 'untrusted-proxy').length
  if (throughStranger > 0)
    return wrong(
      `${throughStranger} of the latest ${signIns.length} sign-ins came through a proxy that is not trusted.`,
    )
  const isInside = ({ address }: RecordedSignIn) => isInsideNetwork(address.split('/')[0] ?? '')
  const isSuspicious = config.addressesAreGiven && signIns.length >= 5 && signIns.every(isInside)
  const places = new Set(signIns.map(({ address }) => address))
  if (isSuspicious && places.size === 1 && config.trustedProxies.by === 'nobody')
    return wrong(
      `All of the latest ${signIns.length} sign-ins came from ${[...places].join()}, which is no visitor’s network.`,
    )
  return { verdict: 'ok', found: 'No sign-in came through a proxy that is not trusted.' }
}
