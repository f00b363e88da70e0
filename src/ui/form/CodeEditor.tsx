'use client'

import { clsx } from 'clsx'
import {
  type ComponentPropsWithRef,
  type KeyboardEvent,
  type RefObject,
  useId,
  useImperativeHandle,
  useRef,
} from 'react'
import type { CodeLanguage, EditorTokenKind } from './code'
import { insertText } from './insert-text'
import { SuggestionList } from './internal/SuggestionList'
import { useCompletion } from './internal/use-completion'

type CodeEditorProps = Pick<ComponentPropsWithRef<'textarea'>, 'ref'> & {
  label: string
  /** Colours what is written and completes words; without it, text is text. */
  language?: CodeLanguage
  value: string
  onChange: (value: string) => void
  /** Ctrl+Enter, or ⌘+Enter. */
  onSubmit?: () => void
  placeholder?: string
  /** The line with the error, from 1. */
  wrongLine?: number
  /** Of the sentence that says what is wrong. */
  describedBy?: string
  rows?: number
}

const lineClass = 'font-mono text-xs leading-5'

/**
 * A text editor with line numbers. Tab indents; after Escape, Tab moves the focus on, so that the editor is no keyboard
 * trap. Colours are drawn beneath a text field whose own letters are not painted: what is typed stays the browser's.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, language, value, onChange, placeholder, wrongLine, describedBy, rows = 10, ref } = props
  const [hintId, listId] = [useId(), useId()]
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement) // mounted together with the field
  const { gutter, painted, follow } = useScrollTogether()
  const completion = useCompletion(field, language?.completionAt)
  const onKeyDown = useKeys(props, completion)

  return (
    <div className="code-editor relative min-w-0">
      <div className="flex min-w-0 overflow-hidden rounded-md border border-line-strong bg-control focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus has-aria-invalid:border-danger">
        <LineNumbers ref={gutter} lines={value.split('\n').length} wrongLine={wrongLine} />
        <div className="relative flex min-w-0 grow">
          {language && <Painted ref={painted} tokens={language.tokensIn(value)} />}
          <textarea
            ref={field}
            aria-label={label}
            aria-describedby={describedBy ? `${describedBy} ${hintId}` : hintId}
            aria-invalid={wrongLine !== undefined || undefined}
            {...(language?.completionAt && {
              'aria-autocomplete': 'list' as const,
              'aria-controls': completion.open ? listId : undefined,
              'aria-activedescendant': completion.open ? `${listId}-${completion.open.at}` : undefined,
            })}
            value={value}
            placeholder={placeholder}
            rows={rows}
            wrap="off"
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            onChange={(event) => {
              onChange(event.target.value)
              completion.suggest()
            }}
            onKeyDown={onKeyDown}
            onBlur={completion.close}
            onMouseDown={completion.close}
            onScroll={({ currentTarget }) => {
              follow(currentTarget)
              if (completion.open) completion.close()
            }}
            className={clsx(
              lineClass,
              'relative field-sizing-content max-h-120 min-h-44 w-0 grow resize-none overflow-auto bg-transparent px-3 py-2 whitespace-pre text-ink outline-none placeholder:text-faint',
              language && [
                '[-webkit-text-fill-color:transparent] placeholder:[-webkit-text-fill-color:var(--color-faint)]',
                'forced-colors:[-webkit-text-fill-color:currentColor]',
              ],
            )}
          />
        </div>
        <span id={hintId} hidden>
          Tab indents. Press Escape, then Tab, to leave. Ctrl and Enter runs it.
        </span>
      </div>
      {completion.open && <SuggestionList id={listId} {...completion.open} onChoose={completion.accept} />}
    </div>
  )
}

function LineNumbers({
  ref,
  lines,
  wrongLine,
}: {
  ref: RefObject<HTMLDivElement | null>
  lines: number
  wrongLine: number | undefined
}) {
  return (
    <div
      ref={ref}
      aria-hidden
      className={clsx(
        lineClass,
        'max-h-120 shrink-0 overflow-hidden border-r border-line bg-sunken py-2 text-right text-faint select-none',
      )}
    >
      {Array.from({ length: lines }, (_, i) => (
        <div
          key={i + 1}
          className={clsx('px-2', i + 1 === wrongLine && 'bg-danger-soft font-semibold text-danger-ink')}
        >
          {i + 1}
        </div>
      ))}
    </div>
  )
}

const colours: Record<EditorTokenKind, string | undefined> = {
  plain: undefined,
  keyword: 'text-accent-ink',
  function: 'text-info-ink',
  string: 'text-warning-ink',
  number: 'text-danger-ink',
  comment: 'text-faint',
  parameter: 'text-success-ink',
}

/** The letters of the field, in colours. */
function Painted({
  ref,
  tokens,
}: {
  ref: RefObject<HTMLPreElement | null>
  tokens: ReturnType<CodeLanguage['tokensIn']>
}) {
  return (
    <pre
      ref={ref}
      aria-hidden
      className={clsx(
        lineClass,
        'pointer-events-none absolute inset-0 overflow-hidden px-3 py-2 whitespace-pre text-ink forced-colors:hidden',
      )}
    >
      {tokens.map(({ kind, text }, index) => (
        <span key={index} className={colours[kind]}>
          {text}
        </span>
      ))}
      {/* a last line break has no height of its own */}
      {'\n'}
    </pre>
  )
}

/** The line numbers and the colours scroll with the field. */
function useScrollTogether() {
  const gutter = useRef<HTMLDivElement>(null)
  const painted = useRef<HTMLPreElement>(null)
  return {
    gutter,
    painted,
    follow: ({ scrollTop, scrollLeft }: HTMLTextAreaElement) => {
      gutter.current?.scrollTo({ top: scrollTop })
      painted.current?.scrollTo({ top: scrollTop, left: scrollLeft })
    },
  }
}

function useKeys({ onSubmit }: CodeEditorProps, completion: ReturnType<typeof useCompletion>) {
  const leavesNext = useRef(false)
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (completion.onKey(event)) return event.preventDefault()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      completion.close()
      onSubmit?.()
    }
    const isTab = event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey
    if (isTab && !leavesNext.current) {
      event.preventDefault()
      if (!event.shiftKey) insertText(event.currentTarget, '  ')
    }
    leavesNext.current = event.key === 'Escape' || (event.key === 'Shift' && leavesNext.current)
  }
}
