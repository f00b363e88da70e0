'use client'

import { Plus } from 'lucide-react'
import {
  type ClipboardEvent,
  type DragEvent,
  type FocusEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
  useMemo,
} from 'react'
import type { Picture } from '#posts/post'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Notice } from '#ui/page/Notice'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { addressesFor } from '#posts/source-blocks'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { markdownOf } from '../../images/image-facts'
import { type PreviewTheme, previewProps } from '../../PreviewSheet'
import { perform } from '../field-edits'
import { FormattingTools } from '../FormattingTools'
import type { MarkdownCommand } from '../markdown-edits'
import type { TextPlace } from '../text-place'
import { picturesIn } from '../upload'
import { previewBlocksOf } from '../../actions'
import { duplicate, indexOf, insertAfter, move, remove, shownText, type EditorBlock } from './block-document'
import { type BlockActions, BlockRow } from './BlockRow'
import { useBlockDocument } from './use-block-document'
import { useBlockDrag } from './use-block-drag'
import { isUndrawn } from './block-kinds'

const ImageDialog = lazy(async () => ({ default: (await import('../ImageDialog')).ImageDialog }))

interface BlockEditorProps {
  slug: string
  value: string
  onChange: (value: string) => void
  describedBy?: string | undefined
  theme: PreviewTheme
  place: TextPlace
  children: ReactNode
}

/** The Markdown of a post, block by block: the one that is written in as its source, the others as readers see them. */
export function BlockEditor({
  slug,
  value,
  onChange,
  describedBy,
  theme,
  place,
  children,
}: BlockEditorProps) {
  const frame = useRef<HTMLElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const editing = useBlockDocument({ value, onChange, place })
  const images = useBroughtImages(slug, editing)
  const [announcement, setAnnouncement] = useState('')
  const actions = useActions(editing, setAnnouncement, images.choose)
  const helpId = useId()
  useFocusRequest(frame, editing.request)

  function press(command: MarkdownCommand) {
    const focused = frame.current?.querySelector<HTMLTextAreaElement>(
      `textarea[data-block-field="${editing.activeId}"]`,
    )
    if (focused) perform(focused, command)
    else editing.begin()
  }

  return (
    // pictures are pasted and dropped anywhere in it
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={frame}
      aria-label="Text"
      aria-describedby={describedBy ?? helpId}
      className="flex min-h-0 grow flex-col overflow-clip rounded-lg border border-line bg-surface"
      onBlur={(event) => leaves(event) && editing.leave()}
      onPaste={(event) => images.take(event, event.clipboardData)}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={(event) => images.take(event, event.dataTransfer)}
    >
      <div className="border-b border-line p-1.5">
        <FormattingTools field={field} onPress={press} onImage={images.choose}>
          {children}
        </FormattingTools>
      </div>
      <VisuallyHidden>
        <p id={helpId}>
          Enter begins a block. A slash in an empty block lists all kinds of blocks. Alt, Shift and the arrow
          up or down move a block.
        </p>
        <output>{announcement}</output>
      </VisuallyHidden>
      <div {...previewProps(theme)} className="post-preview min-h-96 grow py-3 lg:min-h-0 lg:overflow-y-auto">
        <BlockList slug={slug} frame={frame} editing={editing} actions={actions} />
        <div className="px-10 pt-2">
          <Button variant="quiet" size="sm" icon={<Icon of={Plus} />} onClick={() => editing.begin()}>
            Add block
          </Button>
        </div>
      </div>
      {images.dialog}
    </section>
  )
}

/** Whether the focus goes elsewhere; a menu or a dialog of a block is elsewhere in the document. */
function leaves({ relatedTarget, currentTarget }: FocusEvent): boolean {
  const isElsewhere = relatedTarget instanceof Element && !currentTarget.contains(relatedTarget)
  return isElsewhere && !relatedTarget.closest('[role=menu], [role=dialog]')
}

interface BlockListProps {
  slug: string
  frame: RefObject<HTMLElement | null>
  editing: BlockEditing
  actions: BlockActions
}

function BlockList({ slug, frame, editing, actions }: BlockListProps) {
  const { document, activeId, text } = editing
  const { drawnOf, problem } = useDrawnBlocks(slug, text, document.blocks, activeId)
  const { dragged, dropAt, begin } = useBlockDrag(frame, actions.moveTo)
  return (
    <>
      {problem !== undefined && (
        <Notice tone="warning" title="Blocks are shown as they are written">
          {problem}
        </Notice>
      )}
      <ol className="flex flex-col">
        {document.blocks.map((block, index) => (
          <BlockRow
            key={block.id}
            block={block}
            place={index + 1}
            count={document.blocks.length}
            isActive={block.id === activeId}
            drawn={block.id === activeId ? undefined : drawnOf(block)}
            drop={dropSide(dropAt, index, document.blocks.length)}
            isDragged={dragged === block.id}
            onGrip={begin}
            actions={actions}
          />
        ))}
      </ol>
    </>
  )
}

/** The line is drawn before the block that will follow; at the end, after the last. */
function dropSide(dropAt: number | undefined, index: number, count: number): 'before' | 'after' | undefined {
  if (dropAt === index) return 'before'
  return dropAt === count && index === count - 1 ? 'after' : undefined
}

/** Pictures of the library, and those that are pasted or dropped, put behind the block that is written in. */
function useBroughtImages(slug: string, { document, activeId, change }: BlockEditing) {
  const [brought, setBrought] = useState<readonly File[]>()

  function take(event: ClipboardEvent | DragEvent, files: DataTransfer | null) {
    const pictures = picturesIn(files)
    if (pictures.length === 0) return
    event.preventDefault()
    setBrought(pictures)
  }

  function insert(pictures: readonly Picture[]) {
    setBrought(undefined)
    const after = activeId >= 0 ? activeId : document.blocks.at(-1)?.id
    change((before) => insertAfter(before, after, pictures.map(markdownOf)))
  }

  const dialog = brought && (
    <Suspense>
      <ImageDialog slug={slug} files={brought} onClose={() => setBrought(undefined)} onInsert={insert} />
    </Suspense>
  )
  return { take, choose: () => setBrought([]), dialog }
}

type BlockEditing = ReturnType<typeof useBlockDocument>

/** The changes that a block can make to the text; their identities are stable, which saves other blocks a render. */
function useActions(
  editing: BlockEditing,
  say: (text: string) => void,
  chooseImages: () => void,
): BlockActions {
  const latest = useRef({ editing, chooseImages })
  useEffect(() => {
    latest.current = { editing, chooseImages }
  })
  const [actions] = useState((): BlockActions => {
    const now = () => latest.current.editing
    const moveTo = (id: number, to: number) => {
      const { document, change } = now()
      const moved = move(document, id, to)
      if (moved === document) return
      change(() => ({ document: moved, id, caret: 0 }))
      say(`Moved to ${indexOf(moved, id) + 1} of ${moved.blocks.length}`)
    }
    return {
      type: (id, shown, caret) => now().type(id, shown, caret),
      change: (make) => now().change(make),
      enter: (id) => now().enter(id),
      open: (id, caret) => now().open(id, caret),
      noteCaret: (id, caret) => now().noteCaret(id, caret),
      begin: (id) => now().begin(id),
      undo: () => now().undo(),
      redo: () => now().redo(),
      moveTo,
      moveBy: (id, by) => moveTo(id, indexOf(now().document, id) + by),
      duplicate: (id) => now().change((before) => duplicate(before, id)),
      remove: (id) =>
        now().change((before) => {
          const index = indexOf(before, id)
          const rest = remove(before, id)
          const next = rest.blocks[index] ?? rest.blocks[index - 1]
          return { document: rest, id: next?.id ?? rest.nextId, caret: 0 }
        }),
      walk: (id, by) => {
        const { document, open } = now()
        const next = document.blocks[indexOf(document, id) + by]
        if (next) open(next.id, by < 0 ? shownText(next).length : 0)
        return next !== undefined
      },
      chooseImages: () => latest.current.chooseImages(),
    }
  })
  return actions
}

/** Puts the caret where a change wants it, once what was changed is there. */
function useFocusRequest(
  frame: RefObject<HTMLElement | null>,
  request: { id: number; caret: number } | undefined,
) {
  useEffect(() => {
    if (!request) return
    const field = frame.current?.querySelector<HTMLTextAreaElement | HTMLInputElement>(
      `[data-block-field="${request.id}"]`,
    )
    const caret = Math.min(request.caret, field?.value.length ?? 0)
    field?.focus()
    field?.setSelectionRange(caret, caret)
  }, [frame, request])
}

const debounceMs = 120
/** In one request; the server takes no more. */
const batchSize = 40

type DrawnBlocks = ReadonlyMap<string, ReactNode>

/** Draws blocks as readers will see them; returns what is drawn of a block, once it is. */
function useDrawnBlocks(slug: string, body: string, blocks: readonly EditorBlock[], activeId: number) {
  const [drawn, setDrawn] = useState<DrawnBlocks>(new Map())
  const [problem, setProblem] = useState<string>()
  const addresses = useMemo(() => addressesFor(body), [body])
  const textOf = ({ source }: EditorBlock): string => addresses(source) + source
  const missing = blocks
    .filter((block) => block.id !== activeId && block.type !== 'table' && !isUndrawn(block))
    .map(textOf)
    .filter((text) => !drawn.has(text))
    .slice(0, batchSize)
  const wanted = [...new Set(missing)]
  const key = JSON.stringify(wanted)
  const latest = useRef(wanted)
  const isAsking = useRef(false)

  useEffect(() => {
    // the key is made above, of texts
    latest.current = JSON.parse(key) as string[]
    const ask = async () => {
      const texts = latest.current
      if (isAsking.current || texts.length === 0) return
      isAsking.current = true
      const answer = await withNetworkErrors(() => previewBlocksOf(slug, texts))
      isAsking.current = false
      setProblem(answer.done ? undefined : answer.problems[0]?.message)
      const found = answer.done ? answer.drawn : []
      if (found.length > 0)
        setDrawn(
          (before) => new Map([...before, ...found.map((one, index) => [texts[index] ?? '', one] as const)]),
        )
    }
    const timer = setTimeout(() => void ask(), debounceMs)
    return () => clearTimeout(timer)
  }, [slug, key])

  return { drawnOf: (block: EditorBlock): ReactNode => drawn.get(textOf(block)), problem }
}
