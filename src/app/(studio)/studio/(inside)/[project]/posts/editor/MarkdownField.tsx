'use client'

import { Blocks, ImagePlus } from 'lucide-react'
import {
  type ClipboardEvent,
  type DragEvent,
  Fragment,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useRef,
  useState,
} from 'react'
import { blockList } from '#posts/blocks'
import { Icon } from '#ui/Icon'
import { isAppleKeyboard, isPressed } from '#ui/keyboard/keys'
import { Menu } from '#ui/overlay/Menu'
import { Toolbar, ToolbarButton, ToolbarSeparator } from '#ui/page/Toolbar'
import { WritingArea } from '#ui/form/WritingArea'
import { apply, perform } from './field-edits'
import { type MarkdownCommand, image, nextItem, paragraph } from './markdown-edits'
import { tools, withShortcut } from './toolbar'
import { picturesIn } from './upload'

const ImageDialog = lazy(async () => ({ default: (await import('./ImageDialog')).ImageDialog }))

interface MarkdownFieldProps {
  slug: string
  value: string
  onChange: (value: string) => void
  describedBy?: string | undefined
}

/** The Markdown text, with buttons for its formatting. */
export function MarkdownField({ slug, value, onChange, describedBy }: MarkdownFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [brought, setBrought] = useState<readonly File[]>()
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
        <Tools field={field} onPress={press} onImage={() => setBrought([])} />
      </div>
      <WritingArea
        ref={field}
        label="Text"
        placeholder="Write in Markdown. Pictures can be pasted, or dropped here."
        value={value}
        onChange={onChange}
        aria-describedby={describedBy}
        aria-invalid={describedBy ? true : undefined}
        onKeyDown={(event) => onKeyDown(event, press)}
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

function picturesWritten(pictures: readonly { alt: string; address: string }[]): MarkdownCommand {
  const [first, ...others] = pictures
  if (first && others.length === 0) return image(first.alt, first.address)
  const written = pictures.map(({ alt, address }) => image(alt, address)({ text: '', from: 0, to: 0 }).text)
  return paragraph(written.join('\n\n'))
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

/** "most-read" is called "Most read". */
const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

interface ToolsProps {
  /** The field that gets the focus after a choice. */
  field: RefObject<HTMLTextAreaElement | null>
  onPress: (command: MarkdownCommand) => void
  onImage: () => void
}

function Tools({ field, onPress, onImage }: ToolsProps) {
  return (
    <Toolbar label="Formatting">
      {tools.map((group, index) => (
        <Fragment key={group[0]?.label}>
          {index > 0 && <ToolbarSeparator />}
          {group.map(({ label, icon, shortcut, command }) => (
            <ToolbarButton
              key={label}
              size="sm"
              label={label}
              shortcut={shortcut}
              icon={<Icon of={icon} />}
              onClick={() => onPress(command)}
            />
          ))}
        </Fragment>
      ))}
      <ToolbarSeparator />
      <ToolbarButton size="sm" label="Pictures…" icon={<Icon of={ImagePlus} />} onClick={onImage} />
      <Menu
        align="end"
        finalFocus={field}
        trigger={<ToolbarButton size="sm" label="Blocks" icon={<Icon of={Blocks} />} />}
        entries={blockList.map(({ name, does, example }) => ({
          label: labelOf(name),
          hint: does.replaceAll('`', ''),
          onSelect: () => onPress(paragraph(example)),
        }))}
      />
    </Toolbar>
  )
}
