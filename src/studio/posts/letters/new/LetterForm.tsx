'use client'

import { useState } from 'react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { number } from '#ui/format'
import { useNavigation } from '#ui/navigation/Navigation'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Notice } from '#ui/page/Notice'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { previewLetter, sendLetter, sendTestLetter, type ShownLetter } from '../actions'

interface LetterFormProps {
  slug: string
  timeZone: string
  posts: readonly { id: string; title: string; excerpt: string }[]
  initialPost: string | undefined
  initialCohort: string | undefined
  lists: readonly { key: string; name: string; confirmed: number }[]
  cohorts: readonly { id: string; name: string }[]
  whyNot: string | undefined
}

interface LetterDraft {
  post: string
  list: string
  cohort: string
  subjects: readonly string[]
  preview: string
  share: number
  hours: number
  at: string
}

/** The input for the server. Empty further subjects are left out. */
const inputOf = ({ cohort, subjects, share, at, ...draft }: LetterDraft) => ({
  ...draft,
  subjects: subjects.filter((subject, index) => index === 0 || subject.trim() !== ''),
  share: share / 100,
  ...(cohort !== '' && { cohort }),
  ...(at !== '' && { at }),
})

const mostSubjects = 4

/** Post, recipients and subject lines; a preview counts the recipients before anything is sent. */
export function LetterForm(props: LetterFormProps) {
  const { slug, timeZone, whyNot } = props
  const [draft, setDraft] = useState(() => firstDraft(props))
  const [reviewed, setReviewed] = useState<ShownLetter>()
  const [problem, setProblem] = useState<string>()
  const { make, question } = useDirectChange()

  function change(changes: Partial<LetterDraft>) {
    setDraft((newest) => ({ ...newest, ...changes }))
    setReviewed(undefined)
  }

  async function review() {
    const failed = await make(() => previewLetter(slug, inputOf(draft)), { onDone: setReviewed })
    setProblem(failed?.error)
  }

  async function test() {
    const saved = 'Test e-mail is on its way to you'
    const failed = await make(() => sendTestLetter(slug, inputOf(draft)), { saved })
    setProblem(failed?.error)
  }

  return (
    <div className="flex max-w-2xl flex-col gap-4">
      {question}
      <RecipientFields {...props} draft={draft} onChange={change} />
      <SubjectFields draft={draft} onChange={change} />
      <Field label="Preview text" optional hint="Shown beside the subject in a list of e-mails.">
        <TextInput
          value={draft.preview}
          maxLength={200}
          onChange={({ target }) => change({ preview: target.value })}
        />
      </Field>
      <Field label="Send at" optional hint={`Now if empty. Time zone: ${timeZone}.`}>
        <TextInput
          type="datetime-local"
          value={draft.at}
          onChange={({ target }) => change({ at: target.value })}
        />
      </Field>
      {problem && (
        <Notice tone="danger" title="Not ready to send">
          {problem}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={reviewed ? 'secondary' : 'primary'}
          disabledReason={whyNot}
          onClick={() => void review()}
        >
          Review
        </Button>
        <Button disabledReason={whyNot} onClick={() => void test()}>
          Send test to me
        </Button>
      </div>
      {reviewed && <Reviewed slug={slug} draft={draft} letter={reviewed} whyNot={whyNot} />}
    </div>
  )
}

/** A draft begins with the words of its post. */
const wordsOf = (post: { title: string; excerpt: string } | undefined) => ({
  subjects: [post?.title ?? ''],
  preview: post?.excerpt.slice(0, 150) ?? '',
})

const firstDraft = ({ posts, initialPost, initialCohort, lists, cohorts }: LetterFormProps): LetterDraft => ({
  post: initialPost ?? '',
  list: lists[0]?.key ?? 'newsletter',
  cohort: cohorts.find(({ id }) => id === initialCohort)?.id ?? '',
  ...wordsOf(posts.find(({ id }) => id === initialPost)),
  share: 20,
  hours: 4,
  at: '',
})

interface DraftFieldProps {
  draft: LetterDraft
  onChange: (changes: Partial<LetterDraft>) => void
}

function RecipientFields({
  posts,
  lists,
  cohorts,
  draft,
  onChange,
}: Pick<LetterFormProps, 'posts' | 'lists' | 'cohorts'> & DraftFieldProps) {
  const everyCohort = [
    { value: '', label: 'All subscribers' },
    ...cohorts.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <>
      <Field label="Post" hint={posts.length === 0 ? 'Publish a post first.' : undefined}>
        <Select
          options={posts.map(({ id, title }) => ({ value: id, label: title }))}
          value={draft.post}
          onChange={(id) => onChange({ post: id, ...wordsOf(posts.find((one) => one.id === id)) })}
        />
      </Field>
      <Field label="List">
        <Select
          options={lists.map(({ key, name, confirmed }) => ({
            value: key,
            label: `${name} (${number(confirmed)})`,
          }))}
          value={draft.list}
          onChange={(list) => onChange({ list })}
        />
      </Field>
      <Field label="Cohort" optional hint="Only subscribers who belong to it.">
        <Select options={everyCohort} value={draft.cohort} onChange={(cohort) => onChange({ cohort })} />
      </Field>
    </>
  )
}

/** Two or more subjects are tried on a share of the recipients. */
function SubjectFields({ draft: { subjects, share, hours }, onChange }: DraftFieldProps) {
  return (
    <>
      {subjects.map((subject, index) => (
        // subjects are told apart by their place alone
        // oxlint-disable-next-line react/no-array-index-key
        <Field key={index} label={index === 0 ? 'Subject' : `Subject ${index + 1}`}>
          <TextInput
            value={subject}
            maxLength={200}
            onChange={({ target }) =>
              onChange({ subjects: subjects.map((one, place) => (place === index ? target.value : one)) })
            }
          />
        </Field>
      ))}
      {subjects.length < mostSubjects && (
        <div>
          <Button size="sm" variant="quiet" onClick={() => onChange({ subjects: [...subjects, ''] })}>
            Try another subject
          </Button>
        </div>
      )}
      {subjects.length > 1 && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Tried on" hint="The rest gets the subject that leads to the most clicks.">
            <NumberInput
              value={share}
              min={5}
              max={90}
              unit="%"
              onChange={(next) => onChange({ share: next ?? 20 })}
            />
          </Field>
          <Field label="Winner after">
            <NumberInput
              value={hours}
              min={1}
              max={72}
              unit="hours"
              onChange={(next) => onChange({ hours: next ?? 4 })}
            />
          </Field>
        </div>
      )}
    </>
  )
}

interface ReviewedProps {
  slug: string
  draft: LetterDraft
  letter: ShownLetter
  whyNot: string | undefined
}

function Reviewed({ slug, draft, letter, whyNot }: ReviewedProps) {
  const { make, question } = useDirectChange()
  const { push } = useNavigation()
  const { subject, recipients } = letter
  const people = recipients === 1 ? '1 subscriber' : `${number(recipients)} subscribers`
  return (
    <div className="flex flex-col gap-4">
      {question}
      <h2 className="font-medium wrap-anywhere">
        {subject}: {people}
      </h2>
      <LetterAsSent letter={letter} />
      <div>
        <AlertDialog
          title={`Send to ${people}?`}
          body={draft.at === '' ? 'E-mails cannot be recalled.' : 'You can cancel it until then.'}
          confirmLabel={draft.at === '' ? 'Send now' : 'Schedule'}
          destructive={false}
          onConfirm={() =>
            make(() => sendLetter(slug, inputOf(draft)), {
              saved: draft.at === '' ? 'Newsletter is being sent' : 'Newsletter scheduled',
              onDone: ({ id }) => push(paths.letter(slug, id)),
            })
          }
          trigger={
            <Button variant="primary" disabledReason={whyNot}>
              {draft.at === '' ? `Send to ${people}…` : `Schedule for ${people}…`}
            </Button>
          }
        />
      </div>
    </div>
  )
}

const letterForms = [
  { value: 'html', label: 'HTML' },
  { value: 'text', label: 'Plain text' },
] as const

/** Pictures of the site come from the studio’s own host, which has them too: its pages may show no others. */
const documentOf = (html: string): string =>
  html
    .replace('<head>', '<head><base target="_blank">')
    .replaceAll(/src="https?:\/\/[^/"]+(?=\/_tilth\/images\/)/g, 'src="')

/** The letter in both forms that each e-mail has. */
function LetterAsSent({ letter: { subject, html, text } }: { letter: ShownLetter }) {
  const [form, setForm] = useState<(typeof letterForms)[number]['value']>('html')
  return (
    <div className="flex flex-col gap-2">
      <div>
        <SegmentedControl label="Form of the e-mail" options={letterForms} value={form} onChange={setForm} />
      </div>
      {form === 'html' ? (
        <iframe
          // without scripts, and with links that open beside the studio
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={documentOf(html)}
          title={`E-mail “${subject}”`}
          className="h-144 w-full rounded-lg border border-line bg-canvas"
        />
      ) : (
        <pre className="max-h-144 overflow-y-auto rounded-lg border border-line p-4 font-sans text-sm wrap-anywhere whitespace-pre-wrap">
          {text}
        </pre>
      )}
    </div>
  )
}
