import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { TilthClient, type TilthOptions } from './client'
import type { EventDetails } from './delivery'

const ClientContext = createContext<TilthClient | undefined>(undefined)

let current: TilthClient | undefined
/** Calls before the provider has started: effects of children run first. */
let early: ((client: TilthClient) => void)[] = []

function begin(client: TilthClient): () => void {
  const stop = client.start()
  current = client
  for (const call of early) call(client)
  early = []
  return () => {
    current = undefined
    stop()
  }
}

/** Calls now, or as soon as the provider has started. Does nothing on a server. */
export function callClient(now: (client: TilthClient) => void): void {
  if (current) now(current)
  else if (typeof window !== 'undefined') early.push(now)
}

/** Reports an event from anywhere in a browser. */
export const track = (name: string, details?: EventDetails): void =>
  callClient((client) => client.track(name, details))

/** Names the person behind this browser. */
export const identify = (id: string, properties?: Readonly<Record<string, unknown>>): void =>
  callClient((client) => client.identify(id, properties))

export interface TilthProviderProps extends TilthOptions {
  children?: ReactNode
}

/** Gives decisions to the components in it. Its options apply from the first rendering on; `bootstrap` may change. */
export function TilthProvider({ children, ...options }: TilthProviderProps): ReactNode {
  const [client] = useState(() => new TilthClient(options))
  const { bootstrap } = options
  useEffect(() => client.adopt(bootstrap), [client, bootstrap])
  useEffect(() => begin(client), [client])
  return <ClientContext.Provider value={client}>{children}</ClientContext.Provider>
}

export function useClient(): TilthClient {
  const client = useContext(ClientContext)
  if (!client) throw new Error('Tilth: this component needs a <TilthProvider> around it.')
  return client
}
