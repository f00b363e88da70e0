'use client'

import { clsx } from 'clsx'
import { Menu as MenuIcon } from 'lucide-react'
import { useEffect, useRef, useState, type MouseEvent, type ReactNode, type RefObject } from 'react'
import { Dialog } from '../overlay/Dialog'
import { Icon } from '../Icon'
import { IconButton } from '../IconButton'
import { useDestination, useIsPending } from '../navigation/Navigation'
import { Skeleton } from './Skeleton'

type AppFrameProps = {
  /** The brand at the top: a logo, a project switcher. */
  brand: ReactNode
  /** SidebarSections. */
  sidebar: ReactNode
  /** Below the links: the member, help. */
  sidebarFoot?: ReactNode
  topbar?: ReactNode
  /** Across the top, when the whole application has something to say. */
  banner?: ReactNode
  children: ReactNode
}

/** The application around its pages: a sidebar, a bar, the page. On narrow screens the sidebar waits in a drawer. */
export function AppFrame({ brand, sidebar, sidebarFoot, topbar, banner, children }: AppFrameProps) {
  return (
    <div className="isolate flex min-h-dvh">
      <a
        href="#content"
        className={clsx(
          'fixed top-2 left-2 z-tooltip -translate-y-16 rounded-md bg-ink px-3 py-1.5 font-medium',
          'text-canvas focus:translate-y-0',
        )}
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-r border-line md:flex print:hidden">
        <div className="flex h-13 shrink-0 items-center px-3">{brand}</div>
        <SidebarBody foot={sidebarFoot}>{sidebar}</SidebarBody>
      </aside>
      <div className="flex min-w-0 grow flex-col">
        {banner}
        <header className="sticky top-0 z-frame flex h-13 shrink-0 items-center gap-2 border-b border-line bg-canvas px-3 sm:px-6 lg:px-8 print:hidden">
          <Drawer brand={brand} foot={sidebarFoot}>
            {sidebar}
          </Drawer>
          {topbar}
        </header>
        <Content>{children}</Content>
      </div>
    </div>
  )
}

/** Tables and figures fade while the server prepares other content. */
const paleClass = [
  'grow outline-none [&_:is(tbody,figure)]:transition-opacity aria-busy:[&_:is(tbody,figure)]:delay-150',
  // not behind a dialog, which may be what is waited for
  '[&[aria-busy=true]:not([aria-hidden=true]_*)_:is(tbody,figure)]:opacity-60',
].join(' ')

function Content({ children }: { children: ReactNode }) {
  const isPending = useIsPending()
  const main = useRef<HTMLElement>(null)
  const isLate = useIsLate(main)
  return (
    <main ref={main} id="content" tabIndex={-1} aria-busy={isPending || undefined} className={paleClass}>
      {isLate && <PageSkeleton />}
      <div className={isLate ? 'hidden' : 'contents'}>{children}</div>
    </main>
  )
}

/** A page that arrives sooner takes the place of the one before without anything between them. */
const lateAfterMs = 300

/** Whether another page takes so long to come that its skeleton is shown in place of the page before. */
function useIsLate(main: RefObject<HTMLElement | null>): boolean {
  const destination = useDestination()
  const [lateFor, setLateFor] = useState<string>()

  useEffect(() => {
    if (destination === undefined || isSamePage(destination)) return undefined
    const timer = setTimeout(() => {
      if (main.current && !staysMeanwhile(main.current)) setLateFor(destination)
    }, lateAfterMs)
    return () => {
      clearTimeout(timer)
      setLateFor(undefined)
    }
  }, [destination, main])

  return destination !== undefined && lateFor === destination
}

/** A filter or another state of the page keeps it in view. */
const isSamePage = (address: string) => new URL(address, location.href).pathname === location.pathname

/** The page stays around the tabs in it, and behind a dialog. */
const staysMeanwhile = (main: HTMLElement) =>
  main.querySelector('nav [data-pending]') !== null || main.closest('[aria-hidden=true]') !== null

const PageSkeleton = () => (
  <div
    aria-hidden
    data-page-skeleton
    className="mx-auto flex w-full max-w-page flex-col gap-6 px-4 py-6 sm:px-6 lg:px-8"
  >
    <div className="flex flex-col gap-2">
      <Skeleton className="h-4 w-24" />
      <Skeleton className="h-7 w-56" />
    </div>
    <Skeleton className="h-8 w-72 max-w-full" />
    <Skeleton className="h-80 w-full" />
  </div>
)

function Drawer({ brand, foot, children }: { brand: ReactNode; foot?: ReactNode; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const closeAfterLink = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) setOpen(false)
  }

  return (
    <div className="md:hidden">
      <Dialog
        title="Menu"
        titleHidden
        place="left"
        size="xs"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={<IconButton label="Menu" icon={<Icon of={MenuIcon} size="lg" />} />}
      >
        {/* The links inside are what is pressed, also by keyboard; this only hears of it. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
        <div onClick={closeAfterLink} className="-mx-5 -my-5 flex h-full min-h-dvh flex-col">
          <div className="flex h-13 shrink-0 items-center pr-13 pl-3">{brand}</div>
          <SidebarBody foot={foot}>{children}</SidebarBody>
        </div>
      </Dialog>
    </div>
  )
}

function SidebarBody({ children, foot }: { children: ReactNode; foot?: ReactNode }) {
  return (
    <>
      <nav aria-label="Main" className="flex min-h-0 grow flex-col gap-4 overflow-y-auto px-3 py-2">
        {children}
      </nav>
      {foot && <div className="shrink-0 border-t border-line p-3">{foot}</div>}
    </>
  )
}
