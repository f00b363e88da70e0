import { createContext, useContext } from 'react'
import { variantsWith } from './variants'

/** The module `@tilth/site` in browsers. */

/** The decisions that the server used for the island. */
export const Decisions = createContext<Readonly<Record<string, boolean | string>>>({})

/** Returns what the server decided for this island, so that hydration changes nothing. */
export function useFlag(key: string): boolean | string {
  const decisions = useContext(Decisions)
  return Object.hasOwn(decisions, key) ? (decisions[key] ?? false) : false
}

export const { Variant, Experiment } = variantsWith(useFlag)

interface PageScript {
  tilth?: { track?: (name: string, details?: { props?: object | undefined }) => void }
}

/** Records an event of this visitor. Does nothing where visits are not counted, such as in previews. */
export function track(name: string, properties?: Readonly<Record<string, unknown>>): void {
  const { tilth } = window as PageScript
  tilth?.track?.(name, { props: properties })
}

const onServerOnly = (name: string) => (): never => {
  throw new Error(
    `${name} works on the server only. Use it in a server component, and pass on what it returns.`,
  )
}

export const visit = onServerOnly('visit()')
export const posts = onServerOnly('posts()')
export const cacheTag = onServerOnly('cacheTag()')
export const revalidateTag = onServerOnly('revalidateTag()')
export const revalidatePath = onServerOnly('revalidatePath()')
export const setting = onServerOnly('setting()')
export const notFound = onServerOnly('notFound()')
export const redirect = onServerOnly('redirect()')
export const collection = onServerOnly('collection()')
export const entry = onServerOnly('entry()')
export const Block = onServerOnly('Block')
export const Survey = onServerOnly('<Survey>')
export const SignUp = onServerOnly('<SignUp>')
export const LatestPosts = onServerOnly('<LatestPosts>')
export const MostRead = onServerOnly('<MostRead>')
export const Readers = onServerOnly('<Readers>')
