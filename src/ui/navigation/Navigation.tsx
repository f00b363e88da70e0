'use client'

import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useMemo,
  useOptimistic,
  useState,
} from 'react'

export interface NavigationOptions {
  /** False keeps the page where it is scrolled to. */
  scroll?: boolean
}

/** The framework's router, as far as links and filters need it. */
export interface Router {
  push: (address: string, options?: NavigationOptions) => void
  replace: (address: string, options?: NavigationOptions) => void
  refresh: () => void
  /** Fetches the page at this address before it is asked for, where that pays. */
  prefetch: (address: string) => void
}

/** A Router whose navigations are shown while they wait for the server. */
export interface Navigation extends Router {
  /** Shows that the server is busy with a change until it has answered. */
  showWhile: <Answer>(work: Promise<Answer>) => Promise<Answer>
}

interface NavigationSetting {
  navigation: Navigation
  /** Whether the router leads there, instead of a new document. */
  isOwn: (address: string) => boolean
}

const SettingContext = createContext<NavigationSetting | undefined>(undefined)
const PendingContext = createContext(false)
const DestinationContext = createContext<string | undefined>(undefined)

/** Navigates links by the framework's router, and shows every navigation from the moment it is asked for. */
export function NavigationProvider({
  router,
  isOwn,
  children,
}: {
  router: Router
  isOwn: (address: string) => boolean
  children: ReactNode
}) {
  const [destination, setDestination] = useOptimistic<string | undefined>(undefined)
  const [changes, setChanges] = useState(0)

  const setting = useMemo(() => {
    // the optimistic state ends with the transition, which is when the page has arrived
    const inTransition = (address: string, go: () => void) =>
      startTransition(() => {
        setDestination(address)
        go()
      })
    const navigation: Navigation = {
      push: (address, options) => inTransition(address, () => router.push(address, options)),
      replace: (address, options) => inTransition(address, () => router.replace(address, options)),
      refresh: () => inTransition('', () => router.refresh()),
      prefetch: (address) => router.prefetch(address),
      async showWhile(work) {
        setChanges((count) => count + 1)
        try {
          return await work
        } finally {
          setChanges((count) => count - 1)
        }
      },
    }
    return { navigation, isOwn }
  }, [router, isOwn, setDestination])

  const isPending = destination !== undefined || changes > 0
  return (
    <SettingContext value={setting}>
      <PendingContext value={isPending}>
        <DestinationContext value={destination}>{children}</DestinationContext>
      </PendingContext>
      <NavigationProgress isPending={isPending} />
    </SettingContext>
  )
}

/** Navigates as links do, with the same signs of progress. */
export function useNavigation(): Navigation {
  const setting = use(SettingContext)
  if (!setting) throw new Error('useNavigation needs a NavigationProvider around it.')
  return setting.navigation
}

/** The navigation of links, where this address is one of the application's own. */
export function useNavigationTo(address: string): Navigation | undefined {
  const setting = use(SettingContext)
  return setting?.isOwn(address) ? setting.navigation : undefined
}

/** Whether the server has yet to answer a navigation or a change. */
export const useIsPending = (): boolean => use(PendingContext)

/** The address of a navigation that the server has yet to answer; empty for the page that is shown. */
export const useDestination = (): string | undefined => use(DestinationContext)

/**
 * The parameters that an address holds, with the changes the server has not answered yet, so that a filter shows at once
 * what was chosen. `by`, and `how` for one change, say whether Back returns to the values before.
 */
export function useAddressParameters<Values extends object>(
  answered: Values,
  addressOf: (values: Values) => string,
  { by = 'replace', scroll }: NavigationOptions & { by?: 'push' | 'replace' } = {},
): [values: Values, ask: (changed: Partial<Values>, how?: 'push' | 'replace') => void] {
  const navigation = useNavigation()
  const [values, show] = useOptimistic(answered, (shown, changed: Partial<Values>) => ({
    ...shown,
    ...changed,
  }))
  const ask = (changed: Partial<Values>, how = by) =>
    startTransition(() => {
      show(changed)
      navigation[how](addressOf({ ...values, ...changed }), { scroll })
    })
  return [values, ask]
}

/** A screen reader hears of a wait that is longer than a glance. */
const announcedAfterMs = 700

/** A line across the top while the server works, and words for those who do not see it. */
function NavigationProgress({ isPending }: { isPending: boolean }) {
  return (
    <>
      {isPending && (
        <span
          aria-hidden
          data-navigation-progress
          className="pointer-events-none fixed inset-x-0 top-0 z-tooltip h-0.5 overflow-hidden transition-opacity delay-75 starting:opacity-0"
        >
          <span className="block h-full w-1/3 animate-travel bg-accent motion-reduce:w-full" />
        </span>
      )}
      <span aria-live="polite" className="sr-only">
        {isPending && <SlowWords />}
      </span>
    </>
  )
}

function SlowWords() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), announcedAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isSlow ? 'Loading' : null
}
