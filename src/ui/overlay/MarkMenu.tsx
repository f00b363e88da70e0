'use client'

import { type ComponentType, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { type Deferred, deferred, loadAhead } from '../deferral/deferred'
import { WhenOpened } from '../deferral/WhenOpened'
import type { MenuEntry } from './Menu'

/** A bar, a cell or a figure whose link was pressed. */
export interface PressedMark {
  /** The address of its link. */
  address: string
  /** The text that names it. */
  words: string
}

/** The place where the menu opens, and the element that gets the focus back. */
interface OpenedMark extends PressedMark {
  anchor: Element | { getBoundingClientRect: () => DOMRect }
  finalFocus: RefObject<HTMLElement | null>
}

export interface MarkMenuContent {
  /** The label of the menu. */
  heading: ReactNode
  entries: MenuEntry[]
}

export interface MarkMenuLayerProps extends OpenedMark, MarkMenuContent {
  isOpen: boolean
  onClose: () => void
}

interface MarkMenuProps {
  /** Whether the link with this address has a menu. */
  isMark: (address: string) => boolean
  /** The entries for a mark; loaded when a pointer or the focus comes near the first one. */
  contentOf: Deferred<(mark: PressedMark) => MarkMenuContent>
}

const layer = deferred<ComponentType<MarkMenuLayerProps>>(
  async () => (await import('./internal/MarkMenuLayer')).MarkMenuLayer,
)

/**
 * Opens a menu at links of some addresses, in every chart and table of the page, in place of following them. One
 * listener serves all of them, so that charts stay plain links that servers draw; a press with Ctrl or the middle
 * button, and a page without script, follow the link.
 */
export function MarkMenu({ isMark, contentOf }: MarkMenuProps) {
  const [mark, setMark] = useState<OpenedMark>()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  useMarkPresses(isMark, {
    onNear: () => {
      loadAhead(layer)
      loadAhead(contentOf)
    },
    onPress: (pressed) => {
      setMark(pressed)
      setOpen(true)
    },
  })

  return (
    <WhenOpened isOpen={isOpen} load={contentOf} onFailure={close}>
      {(content) => (
        <WhenOpened isOpen={isOpen} load={layer} onFailure={close}>
          {(Layer) =>
            mark && <Layer key={mark.address} {...mark} {...content(mark)} isOpen={isOpen} onClose={close} />
          }
        </WhenOpened>
      )}
    </WhenOpened>
  )
}

interface MarkListeners {
  onNear: () => void
  onPress: (mark: OpenedMark) => void
}

function useMarkPresses(isMark: (address: string) => boolean, listeners: MarkListeners) {
  const latest = useRef(listeners)
  useEffect(() => {
    latest.current = listeners
  })
  useEffect(() => {
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    const markAt = (target: EventTarget | null) => markOf(target, isMark)

    const near = ({ target }: Event) => {
      const link = markAt(target)
      // the link of a chart's point appears while the keyboard reads it
      if (target instanceof Element && target.closest('.chart-reader')) latest.current.onNear()
      if (!link) return
      // links of charts that a server drew do not know of the menu
      link.setAttribute('aria-haspopup', 'menu')
      latest.current.onNear()
    }
    document.addEventListener('pointerover', near, options)
    document.addEventListener('focusin', near, options)
    document.addEventListener(
      'click',
      (event) => {
        const link = markAt(event.target)
        if (!link || event.defaultPrevented || !isPlain(event)) return
        event.preventDefault()
        latest.current.onPress(openedAt(link, event))
      },
      options,
    )
    // the browser shows its own menu after the key is released
    let isKeyDown = false
    document.addEventListener(
      'keydown',
      (event) => {
        isKeyDown = isMenuKey(event)
        const link = isKeyDown ? markBeside(event.target, isMark) : event.key === ' ' && markAt(event.target)
        isKeyDown &&= Boolean(link)
        if (!link) return
        event.preventDefault()
        link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
      },
      options,
    )
    document.addEventListener('contextmenu', (event) => isKeyDown && event.preventDefault(), options)
    document.addEventListener('pointerdown', () => (isKeyDown = false), options)
    return () => listening.abort()
  }, [isMark])
}

const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

const isMenuKey = ({ key, shiftKey }: KeyboardEvent) => key === 'ContextMenu' || (key === 'F10' && shiftKey)

function markOf(target: EventTarget | null, isMark: (address: string) => boolean): Element | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null
  // an entry of a menu may lead to the same address
  if (!link || link.closest('[role=menu]')) return undefined
  return isMark(link.getAttribute('href') ?? '') ? link : undefined
}

/** The mark that has the focus; or the first one of the row, the figure or the chart that has it. */
function markBeside(target: EventTarget | null, isMark: (address: string) => boolean): Element | undefined {
  const own = markOf(target, isMark)
  if (own) return own
  const around = target instanceof Element ? target.closest('tr, .chart-reader, [data-marks]') : null
  return Array.from(around?.querySelectorAll('a[href]') ?? []).find((link) => markOf(link, isMark))
}

function openedAt(link: Element, { clientX, clientY, detail }: MouseEvent): OpenedMark {
  const isSeen = link.getClientRects().length > 0
  const focused = document.activeElement
  const toFocus = isSeen ? link : focused
  const hasPoint = detail > 0 || !isSeen
  const point = { getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) }
  const element = isSeen ? link : (focused ?? link)
  return {
    address: link.getAttribute('href') ?? '',
    words: link.getAttribute('aria-label') ?? link.getAttribute('data-words') ?? link.textContent ?? '',
    anchor: hasPoint && (clientX > 0 || clientY > 0) ? point : element,
    finalFocus: { current: toFocus instanceof HTMLElement ? toFocus : null },
  }
}
