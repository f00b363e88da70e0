'use client'

import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  useEffect,
  Suspense,
  useRef,
  useState,
} from 'react'
import type { Picture } from '#posts/post'
import { isAppleKeyboard, isPressed } from '#ui/keyboard/keys'
import { WritingArea } from '#ui/form/WritingArea'
import { markdownOf } from '../images/image-facts'
import { apply, perform } from './field-edits'
import { FormattingTools } from './FormattingTools'
import { insertText, type MarkdownCommand, nextItem, paragraph } from './markdown-edits'
import type { TextPlace } from './text-place'
import { withShortcut } from './toolbar'
import { picturesIn } from './upload'

const ImageDialog = lazy(async () => ({ default: (await import('./ImageDialog')).ImageDialog }))

interface MarkdownFieldProps {
  slug: string
  value: string
  onChange: (value: string) => void
  describedBy?: string | undefined
  /** The caret and the undo history of the other editor. */
  place: TextPlace
  /** Buttons behind those for formatting. */
  children?: ReactNode
}

/** The Markdown text, with buttons for its formatting. */
export function MarkdownField({ slug, value, onChange, describedBy, place, children }: MarkdownFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [brought, setBrought] = useState<readonly File[]>()
  useEffect(() => {
    if (place.offset === undefined) return
    field.current?.focus()
    field.current?.setSelectionRange(place.offset, place.offset)
  }, [place])
  const press = (command: MarkdownCommand) => field.current && perform(field.current, command)

  function take(event: ClipboardEvent | DragEvent, files: DataTransfer | null) {
    const pictures = picturesIn(files)
    if (pictures.length === 0) return
    event.preventDefault()
    setBrought(pictures)
  }

  return (
    <div className="flex min-h-0 grow flex-col overflow-clip rounded-lg border border-line bg-surface has-[textarea:focus-visible]:border-focus">
      <div className="border-b border-line p-1.5">
        <FormattingTools field={field} onPress={press} onImage={() => setBrought([])}>
          {children}
        </FormattingTools>
      </div>
      <WritingArea
        ref={field}
        label="Text"
        placeholder="Write in Markdown. Paste or drop images here."
        value={value}
        onChange={onChange}
        aria-describedby={describedBy}
        aria-invalid={describedBy ? true : undefined}
        onKeyDown={(event) => onKeyDown(event, press)}
        onSelect={({ currentTarget }) => place.note(currentTarget.selectionStart)}
        onPaste={(event) => take(event, event.clipboardData)}
        onDrop={(event) => take(event, event.dataTransfer)}
      />
      {brought && (
        <Suspense>
          <ImageDialog
            slug={slug}
            files={brought}
            onClose={() => setBrought(undefined)}
            onInsert={(pictures) => {
              setBrought(undefined)
              press(picturesWritten(pictures))
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

/** One picture may stand in running text; several are paragraphs. */
function picturesWritten(pictures: readonly Picture[]): MarkdownCommand {
  const written = pictures.map(markdownOf)
  return written.length === 1 ? insertText(written.join('')) : paragraph(written.join('\n\n'))
}

function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>, press: (command: MarkdownCommand) => void) {
  const tool = withShortcut.find(({ shortcut = '' }) => isPressed(shortcut, event, isAppleKeyboard()))
  if (tool) {
    event.preventDefault()
    return press(tool.command)
  }
  if (event.key === 'Enter' && isBare(event)) continueList(event)
}

function continueList(event: KeyboardEvent<HTMLTextAreaElement>) {
  const { value: text, selectionStart: from, selectionEnd: to } = event.currentTarget
  const edit = nextItem({ text, from, to })
  if (!edit) return
  event.preventDefault()
  apply(event.currentTarget, edit)
}

const isBare = ({ nativeEvent, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !nativeEvent.isComposing && !shiftKey && !ctrlKey && !metaKey && !altKey
