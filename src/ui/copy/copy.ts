'use client'

import { useEffect, useState } from 'react'

const shownForMs = 1600

export type ClipboardOutcome = 'copied' | 'failed'

type Announcements = Record<ClipboardOutcome, string>

/** Copies to the clipboard, tells screen readers, and knows, for a moment, what became of it. */
export function useCopy(
  text: string,
  announcements: Announcements,
): { copy: () => void; outcome: ClipboardOutcome | undefined } {
  const [outcome, setOutcome] = useState<ClipboardOutcome>()

  useEffect(() => {
    const timer = outcome && setTimeout(() => setOutcome(undefined), shownForMs)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = () => {
    const end = (next: ClipboardOutcome) => {
      setOutcome(next)
      announcement.say(announcements[next])
    }
    write(text).then(
      () => end('copied'),
      () => end('failed'),
    )
  }
  return { copy, outcome }
}

/** The last announcement, for a moment, so that the same one is said again by the next press. */
class Announcement {
  private text = ''
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly listeners = new Set<() => void>()

  readonly read = (): string => this.text

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  say(text: string): void {
    clearTimeout(this.timer)
    this.change(text)
    this.timer = setTimeout(() => this.change(''), shownForMs)
  }

  private change(text: string): void {
    this.text = text
    for (const listener of this.listeners) listener()
  }
}

/** A page has one clipboard, and one live region for it. */
export const announcement = new Announcement()

/** Browsers give the clipboard to secure pages only; on a plain http address the old command still works. */
async function write(text: string) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text)
  else if (!writeByCommand(text)) throw new Error('Copying failed')
}

function writeByCommand(text: string): boolean {
  const holder = document.createElement('textarea')
  holder.value = text
  holder.style.position = 'fixed'
  document.body.append(holder)
  holder.select()
  const isWritten = document.execCommand('copy')
  holder.remove()
  return isWritten
}
