'use client'

import { FileCode2, LayoutList } from 'lucide-react'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { Icon } from '#ui/Icon'
import { useShortcut } from '#ui/keyboard/shortcut'
import { Skeleton } from '#ui/page/Skeleton'
import { ToolbarButton, ToolbarSeparator } from '#ui/page/Toolbar'
import type { PreviewTheme } from '../PreviewSheet'
import { chosenEditor, chooseEditor, type EditorChoice, onEditorChoice } from './editor-choice'
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
