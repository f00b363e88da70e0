'use client'

import { ChevronDown, ChevronRight, CircleAlert, Copy, MoreHorizontal, Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { Reorderable } from '#studio/insights/form/Reorderable'
import { flowProblems } from '#surveys/flow'
import { questionKinds } from '#surveys/kinds/question-kinds'
import type { SurveyQuestion, QuestionKind } from '#surveys/question'
import { Badge } from '#ui/Badge'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu } from '#ui/overlay/Menu'
import { useToast } from '#ui/overlay/Toast'
import { useBuilder } from './BuilderContext'
import { addQuestion, duplicateQuestion, removeQuestion } from './content-changes'
import { shownText } from './flow-words'
import { kindEntries, kindLabel, newQuestion } from './question-kinds'
import { QuestionEditor } from './QuestionEditor'

/** The questions in order; one of them is open. */
export function QuestionList({
  openId,
  onOpen,
}: {
  openId: string | undefined
  onOpen: (id: string | undefined) => void
}) {
  const { content, changeContent } = useBuilder()
  const [announcement, setAnnouncement] = useState('')
  const { questions } = content
  const isBroken = useBrokenQuestions()

  function reorder(next: SurveyQuestion[]) {
    const moved = next.findIndex((question, index) => question !== questions[index])
    changeContent((before) => ({ ...before, questions: next }))
    if (moved >= 0)
      setAnnouncement(next.map(({ text }, index) => `${index + 1}. ${shownText(text)}`).join('; '))
  }
  function add(kind: QuestionKind) {
    const question = newQuestion(kind)
    changeContent((before) => addQuestion(before, question))
    onOpen(question.id)
  }

  return (
    <div className="flex flex-col gap-3">
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      <Reorderable
        rows={questions}
        onChange={reorder}
        keyOf={({ id }) => id}
        labelOf={(index) => `question ${index + 1}`}
      >
        {(question, index) => (
          <QuestionCard
            question={question}
            index={index}
            isOpen={question.id === openId}
            isBroken={isBroken(question.id)}
            onToggle={() => onOpen(question.id === openId ? undefined : question.id)}
          />
        )}
      </Reorderable>
      {questions.length === 0 && (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-8 text-center text-muted">
          No questions yet. Short surveys get more responses: one to three questions are enough.
        </p>
      )}
      <AddQuestion onAdd={add} />
    </div>
  )
}

function useBrokenQuestions(): (id: string) => boolean {
  const { content, problems } = useBuilder()
  const broken = new Set([
    ...flowProblems(content).map(({ question }) => question),
    ...Object.keys(problems).map((field) => field.split(':')[0] ?? ''),
  ])
  return (id) => broken.has(id)
}

const posthogEntries = kindEntries.filter(({ kind }) => questionKinds[kind].isInPosthog)
const ownEntries = kindEntries.filter(({ kind }) => !questionKinds[kind].isInPosthog)

function AddQuestion({ onAdd }: { onAdd: (kind: QuestionKind) => void }) {
  const entriesOf = (entries: typeof kindEntries) =>
    entries.map(({ kind, label, hint }) => ({ label, hint, onSelect: () => onAdd(kind) }))
  return (
    <div>
      <Menu
        trigger={
          <Button icon={<Icon of={Plus} />} iconEnd={<Icon of={ChevronDown} size="sm" />}>
            Add question
          </Button>
        }
        entries={[
          { kind: 'group', label: 'All placements', entries: entriesOf(posthogEntries) },
          { kind: 'group', label: 'Not in PostHog’s SDK', entries: entriesOf(ownEntries) },
        ]}
      />
    </div>
  )
}

function QuestionCard({
  question,
  index,
  isOpen,
  isBroken,
  onToggle,
}: {
  question: SurveyQuestion
  index: number
  isOpen: boolean
  isBroken: boolean
  onToggle: () => void
}) {
  const editorId = useId()
  const label = `Question ${index + 1}`
  return (
    <section aria-label={label}>
      <header className="flex min-w-0 items-center gap-1.5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={editorId}
          onClick={onToggle}
          className="flex min-h-7 min-w-0 grow items-center gap-2 rounded-md px-1 text-left hover:bg-hover"
        >
          <Icon of={isOpen ? ChevronDown : ChevronRight} size="sm" className="shrink-0 text-faint" />
          <span className="min-w-0 grow truncate">
            <span className="text-muted tabular-nums">{index + 1}.</span>{' '}
            {shownText(question.text) || <span className="text-muted">Untitled question</span>}
          </span>
          {isBroken && (
            <span className="flex shrink-0 text-danger-ink">
              <Icon of={CircleAlert} />
              <span className="sr-only">has a problem</span>
            </span>
          )}
          <span className="shrink-0 max-sm:hidden">
            <Badge>{kindLabel(question.kind)}</Badge>
          </span>
        </button>
        <QuestionMenu question={question} label={label} />
      </header>
      <div id={editorId} hidden={!isOpen} className="px-1 pt-4 pb-2">
        {isOpen && <QuestionEditor question={question} index={index} />}
      </div>
    </section>
  )
}

function QuestionMenu({ question, label }: { question: SurveyQuestion; label: string }) {
  const { content, changeContent } = useBuilder()
  const showToast = useToast()

  function remove() {
    const before = content
    changeContent((current) => removeQuestion(current, question.id))
    showToast({
      title: `${label} removed`,
      action: { label: 'Undo', onSelect: () => changeContent(() => before) },
    })
  }
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          size="sm"
          label={`More about ${label.toLowerCase()}`}
          icon={<Icon of={MoreHorizontal} />}
        />
      }
      entries={[
        {
          label: 'Duplicate',
          icon: <Icon of={Copy} />,
          onSelect: () => changeContent((current) => duplicateQuestion(current, question.id)),
        },
        { label: 'Remove', icon: <Icon of={Trash2} />, destructive: true, onSelect: remove },
      ]}
    />
  )
}
