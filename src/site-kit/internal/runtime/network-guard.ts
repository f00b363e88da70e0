import { Socket as DatagramSocket } from 'node:dgram'
import { lookup as lookUp, type LookupAddress } from 'node:dns'
import { BlockList, isIP, Socket, type SocketConnectOpts, type TcpSocketConnectOpts } from 'node:net'

/** The hosts that modules of the site folder may connect to. */
export interface NetworkRules {
  /** Whether the open internet may be reached, besides what is named. */
  reachesInternet: boolean
  hosts: readonly { host: string; port?: number | undefined }[]
  /** Networks that may be reached, such as "10.1.0.0/16". */
  networks: readonly string[]
  /** Networks that are not the open internet. */
  closed: readonly string[]
}

/** Thrown in place of a connection; the message is for the author of the page. */
export class NetworkRefusedError extends Error {
  override readonly name = 'NetworkRefusedError'
}

const hostRefusal = (host: string): NetworkRefusedError =>
  new NetworkRefusedError(
    `Pages of the site may not connect to ${host}. The operator can allow it with TILTH_SITE_FETCH.`,
  )

/**
 * Lets every connection of this process through the rules: `fetch`, `node:http` and all others end in the same sockets.
 * A name is resolved once, and the connection goes to the addresses that were checked.
 */
export function guardNetwork(rules: NetworkRules): void {
  const isAllowed = allowedBy(rules)
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the socket
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function guarded(this: Socket, ...given: unknown[]): Socket {
    const { options, onConnect } = argumentsOf(given)
    // sockets of files belong to other programs of this machine
    if (!('port' in options))
      return this.destroy(new NetworkRefusedError('Pages of the site may not connect to socket files.'))
    const host = options.host ?? 'localhost'
    if (isIP(host) !== 0 && !isAllowed(host, options.port, host)) return this.destroy(hostRefusal(host))
    const guardedOptions = { ...options, host, lookup: lookupWith(isAllowed, options.port) }
    return Reflect.apply(connect, this, [guardedOptions, onConnect]) as Socket // its overloads have no such sum
  }
  const refuse = (): never => {
    throw new NetworkRefusedError('Pages of the site may not send datagrams.')
  }
  Object.assign(DatagramSocket.prototype, { send: refuse, connect: refuse })
}

interface ConnectArguments {
  options: SocketConnectOpts
  onConnect: (() => void) | undefined
}

/** `connect` takes options, a port with a host, or a path; Node itself passes all of them in one array. */
function argumentsOf(given: readonly unknown[]): ConnectArguments {
  const list = Array.isArray(given[0]) ? (given[0] as unknown[]) : given
  const onConnect = list.find((one): one is () => void => typeof one === 'function')
  const [first, second] = list
  // the types of `connect` say what else there is
  if (typeof first === 'object' && first !== null) return { options: first as SocketConnectOpts, onConnect }
  const isPort = typeof first === 'number' || /^\d+$/.test(String(first))
  const host = typeof second === 'string' ? second : 'localhost'
  const options = isPort ? { port: Number(first), host } : { path: String(first) }
  return { options, onConnect }
}

type IsAllowed = (host: string, port: number, address: string) => boolean

/** Ports may be texts: `node:http` passes on what it was given. */
export function allowedBy({ reachesInternet, hosts, networks, closed }: NetworkRules): IsAllowed {
  const [named, notOpen] = [listOf(networks), listOf(closed)]
  return (host, port, address) => {
    const name = host.toLowerCase().replace(/\.$/, '')
    const isNamed = hosts.some(
      (one) => one.host === name && (one.port === undefined || String(one.port) === String(port)),
    )
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    return isNamed || named.check(address, family) || (reachesInternet && !notOpen.check(address, family))
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

const lookupWith =
  (isAllowed: IsAllowed, port: number): TcpSocketConnectOpts['lookup'] =>
  (host, options, done) => {
    lookUp(host, { ...options, all: true }, (problem, found: LookupAddress[]) => {
      if (problem) return done(problem, [])
      const [first] = found
      if (!first || !found.every(({ address }) => isAllowed(host, port, address)))
        return done(hostRefusal(host), [])
      if (options.all) done(null, found)
      else done(null, first.address, first.family)
    })
  }
