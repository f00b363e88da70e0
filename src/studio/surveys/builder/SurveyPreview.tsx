'use client'

import { RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { commonKinds } from '#surveys/kinds/common-kinds'
import { findIn } from '#surveys/kinds/kind-rules'
import type { MountedSurvey } from '#surveys/run/mounted-survey'
import { rareKinds } from '#surveys/kinds/rare-kinds'
import { beginSession, type SurveySession } from '#surveys/run/session'
import { shadowHost } from '#surveys/run/shadow-host'
import { surveySheet } from '#surveys/run/survey-sheet'
import { wordsFor } from '#surveys/run/words'
import { sanitizedContent } from '#surveys/sanitize-html'
import type { SurveyContent } from '#surveys/survey'
import { translated } from '#surveys/translate'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Select } from '#ui/form/Select'

const widths = [
  { value: 'narrow', label: 'Phone' },
  { value: 'wide', label: 'Desktop' },
] as const
const pages = [
  { value: 'light', label: 'Light page' },
  { value: 'dark', label: 'Dark page' },
] as const
const ownLanguage = 'own'

/** A survey as people will see it: it can be answered, and nothing is recorded. */
export function SurveyPreview({
  name,
  content,
  startAt,
  testAddress,
}: {
  name: string
  content: SurveyContent
  /** The question that is edited. */
  startAt: string | undefined
  testAddress: string
}) {
  const [width, setWidth] = useState<(typeof widths)[number]['value']>('narrow')
  const [page, setPage] = useState<(typeof pages)[number]['value']>('light')
  const [language, setLanguage] = useState<string>()
  const [round, setRound] = useState(0)
  const languages = Object.keys(content.translations)
  const shown = language !== undefined && languages.includes(language) ? language : undefined

  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SegmentedControl label="Preview width" options={widths} value={width} onChange={setWidth} />
        <SegmentedControl label="Preview background" options={pages} value={page} onChange={setPage} />
        {languages.length > 0 && (
          <Select
            fit
            aria-label="Preview language"
            options={[
              { value: ownLanguage, label: 'Default language' },
              ...languages.map((tag) => ({ value: tag, label: tag })),
            ]}
            value={shown ?? ownLanguage}
            onChange={(tag) => setLanguage(tag === ownLanguage ? undefined : tag)}
          />
        )}
        <IconButton
          label="Restart preview"
          icon={<Icon of={RotateCcw} />}
          onClick={() => setRound(round + 1)}
        />
      </div>
      <div
        className="grid min-h-64 place-items-center overflow-auto rounded-lg border border-line p-4 data-[page=dark]:bg-[#16181d] data-[page=light]:bg-[#f4f4f5]"
        data-page={page}
      >
        <div className={width === 'narrow' ? 'w-full max-w-80' : 'w-full'}>
          <MountedPreview
            key={`${round} ${startAt} ${!content.intro} ${content.questions.map(({ id }) => id).join(' ')}`}
            name={name}
            content={content}
            language={shown}
            startAt={startAt}
          />
        </div>
      </div>
      <p className="text-xs text-muted">
        Answer it to test branches. The preview saves nothing.{' '}
        <a className="underline" href={testAddress} target="_blank" rel="noreferrer">
          Open the saved survey as a test
        </a>{' '}
        to send answers that are marked as tests.
      </p>
    </section>
  )
}

/** Begins where the edited question is; without one, at the beginning. */
function startOf(content: SurveyContent, startAt: string | undefined): SurveySession {
  const session = beginSession(content)
  const index = content.questions.findIndex(({ id }) => id === startAt)
  return index > 0 ? { ...session, screen: { kind: 'question', index } } : session
}

/** The survey as the widget runs it. A change of the draft draws it anew where it is, with what was entered. */
function MountedPreview({
  name,
  content: draft,
  language,
  startAt,
}: {
  name: string
  content: SurveyContent
  language: string | undefined
  startAt: string | undefined
}) {
  const place = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedSurvey>(null)

  useEffect(() => {
    let isCurrent = true
    const content = sanitizedContent(translated(draft, language))
    const words = wordsFor(language ?? 'en')
    const survey = {
      id: 'preview',
      name: name || 'Survey',
      version: 0,
      language,
      content,
      words: content.questions.length > 0 ? words : { ...words, thanks: 'Add a question to see it here.' },
    }
    const mount = async () => {
      // the module needs a browser from its first line on
      const { enteredAnswers, MountedSurvey } = await import('#surveys/run/mounted-survey')
      if (!isCurrent) return
      const session = mounted.current?.session ?? startOf(draft, startAt)
      const form = place.current?.firstElementChild?.shadowRoot?.querySelector('form')
      const answers = { ...session.answers, ...(form && enteredAnswers(find, content, form)) }
      const { element, root } = shadowHost(surveySheet(survey))
      mounted.current = new MountedSurvey({
        survey,
        root,
        find,
        arrange: undefined,
        storage: { read: () => ({ id: '', session: { ...session, answers } }), write() {} },
        send: async () => undefined,
      })
      place.current?.replaceChildren(element)
    }
    void mount()
    return () => {
      isCurrent = false
    }
  }, [name, draft, language, startAt])

  return <div ref={place} />
}

const find = findIn(commonKinds, rareKinds)
