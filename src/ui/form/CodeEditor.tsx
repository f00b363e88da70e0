'use client'

import { clsx } from 'clsx'
import { type ComponentPropsWithRef, type KeyboardEvent, useId, useRef } from 'react'

export type CodeEditorProps = Pick<ComponentPropsWithRef<'textarea'>, 'ref'> & {
  /** What is written here. */
  label: string
  value: string
  onChange: (value: string) => void
  /** Ctrl+Enter, or ⌘+Enter. */
  onSubmit?: () => void
  placeholder?: string
  /** Where something is wrong, from 1. */
  wrongLine?: number
  /** Of the sentence that says what is wrong. */
  describedBy?: string
  rows?: number
}

const lineClass = 'font-mono text-xs leading-5'

/**
 * A text editor with line numbers. Tab indents; after Escape, Tab moves the focus on, so that the editor is no keyboard
 * trap.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, placeholder, wrongLine, describedBy, rows = 10, ref } = props
  const hintId = useId()
  const gutter = useRef<HTMLDivElement>(null)
  const onKeyDown = useKeys(props)
  const lines = value.split('\n').length

  return (
    <div className="flex min-w-0 overflow-hidden rounded-md border border-line-strong bg-control focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus has-aria-invalid:border-danger">
      <div
        ref={gutter}
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
      <textarea
        ref={ref}
        aria-label={label}
        aria-describedby={describedBy ? `${describedBy} ${hintId}` : hintId}
        aria-invalid={wrongLine !== undefined || undefined}
        value={value}
        placeholder={placeholder}
        rows={rows}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => {
          if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop
        }}
        className={clsx(
          lineClass,
          'field-sizing-content max-h-120 min-h-44 w-0 grow resize-none overflow-auto bg-transparent px-3 py-2 whitespace-pre text-ink outline-none placeholder:text-faint',
        )}
      />
      <span id={hintId} hidden>
        Tab indents. Press Escape, then Tab, to leave. Ctrl and Enter runs it.
      </span>
    </div>
  )
}

function useKeys({ onSubmit }: CodeEditorProps) {
  const leavesNext = useRef(false)
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
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

/** As if it had been typed, so that it can be undone as what is typed can. */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  field.focus()
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else keeps the browser's list of what can be undone
  if (document.execCommand('insertText', false, text)) return
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
