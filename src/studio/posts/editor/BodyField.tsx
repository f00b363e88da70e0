'use client'

import { FileCode2, LayoutList } from 'lucide-react'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { Icon } from '#ui/Icon'
import { useShortcut } from '#ui/keyboard/shortcut'
import { Skeleton } from '#ui/page/Skeleton'
import { ToolbarButton, ToolbarSeparator } from '#ui/page/Toolbar'
import type { PreviewTheme } from '../PreviewSheet'
import { MarkdownField } from './MarkdownField'
import { TextPlace } from './text-place'

/** Loaded on demand: it brings the parser of posts. */
const BlockEditor = lazy(async () => ({ default: (await import('./blocks/BlockEditor')).BlockEditor }))

interface BodyFieldProps {
  slug: string
  value: string
  onChange: (value: string) => void
  describedBy?: string | undefined
  theme: PreviewTheme
}

/** The same everywhere, and taken neither by browsers nor by screen readers. */
const switchKeys = 'mod+/'

/** The text of a post, as blocks or as Markdown; the browser remembers which. */
export function BodyField({ theme, ...field }: BodyFieldProps) {
  const choice = useSyncExternalStore(onEditorChoice, chosenEditor, () => 'markdown')
  const [place] = useState(() => new TextPlace())
  const other = choice === 'blocks' ? 'markdown' : 'blocks'
  useShortcut(switchKeys, () => chooseEditor(other))
  const button = <EditorSwitch other={other} />
  if (choice === 'markdown')
    return (
      <MarkdownField {...field} place={place}>
        {button}
      </MarkdownField>
    )
  return (
    <Suspense fallback={<Skeleton className="h-96 w-full lg:h-full" />}>
      <BlockEditor {...field} theme={theme} place={place}>
        {button}
      </BlockEditor>
    </Suspense>
  )
}

function EditorSwitch({ other }: { other: EditorChoice }) {
  const label = other === 'blocks' ? 'Edit as blocks' : 'Edit as Markdown'
  return (
    <>
      <ToolbarSeparator />
      <ToolbarButton
        size="sm"
        label={label}
        shortcut={switchKeys}
        icon={<Icon of={other === 'blocks' ? LayoutList : FileCode2} />}
        onClick={() => chooseEditor(other)}
      />
    </>
  )
}

type EditorChoice = 'blocks' | 'markdown'

const storageName = 'tilth editor'
const choices: readonly EditorChoice[] = ['blocks', 'markdown']

/** The choice of this visit, for a browser that stores nothing. */
let chosen: EditorChoice | undefined
const listeners = new Set<() => void>()

/** The editor for posts that was last chosen in this browser. */
function chosenEditor(): EditorChoice {
  chosen ??= storedChoice() ?? 'markdown'
  return chosen
}

function storedChoice(): EditorChoice | undefined {
  try {
    const stored = localStorage.getItem(storageName)
    return choices.find((choice) => choice === stored)
  } catch {
    return undefined
  }
}

function chooseEditor(choice: EditorChoice): void {
  chosen = choice
  try {
    localStorage.setItem(storageName, choice)
  } catch {
    // a browser that stores nothing remembers it until the page is left
  }
  for (const listener of listeners) listener()
}

function onEditorChoice(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
