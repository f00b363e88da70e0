'use client'

import { useSearchParams } from 'next/navigation'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import type { SurveyStatus, SurveyContent } from '#surveys/survey'
import { Field } from '#ui/form/Field'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { type Tab, Tabs } from '#ui/page/Tabs'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { ChangedMeanwhile } from '#studio/parts/ChangedMeanwhile'
import { SaveBar } from '#studio/parts/SaveBar'
import { useVersionedDraft } from '#studio/parts/use-versioned-draft'
import { reloadSurvey, saveSurvey } from '../actions'
import { type BuilderChoices, BuilderProvider, useProblem } from './BuilderContext'
import {
  type BuilderTab,
  builderTabs,
  type OpenedSurvey,
  tabOf,
  changeOf,
  differencesOf,
  draftOf,
  fieldProblems,
  type SurveyDraft,
} from './draft'
import { QuestionList } from './QuestionList'

interface SurveyBuilderProps {
  survey: OpenedSurvey
  status: SurveyStatus
  choices: BuilderChoices
  /** The address of the hosted page. */
  link: string
  /** The address at which members try the survey as it is saved. */
  testAddress: string
  timeZone: string
  whyNot: string | undefined
}

/** Each part is loaded when its tab is opened, and the preview once the builder is there. */
const AudienceFields = lazy(async () => ({ default: (await import('./AudienceFields')).AudienceFields }))
const AppearanceFields = lazy(async () => ({
  default: (await import('./AppearanceFields')).AppearanceFields,
}))
const TranslationFields = lazy(async () => ({
  default: (await import('./TranslationFields')).TranslationFields,
}))
const HostedPageFields = lazy(async () => ({
  default: (await import('./HostedPageFields')).HostedPageFields,
}))
const LaunchPanel = lazy(async () => ({ default: (await import('./LaunchPanel')).LaunchPanel }))
const ScreenFields = lazy(async () => ({ default: (await import('./ScreenFields')).ScreenFields }))
const PlaceList = lazy(async () => ({ default: (await import('./PlaceList')).PlaceList }))
const SurveyPreview = lazy(async () => ({ default: (await import('./SurveyPreview')).SurveyPreview }))

const labels: Record<BuilderTab, string> = {
  questions: 'Questions',
  audience: 'Targeting',
  appearance: 'Appearance',
  translations: 'Translations',
  launch: 'Launch',
}

/** Edits a survey, with what people will see beside it. */
export function SurveyBuilder(props: SurveyBuilderProps) {
  const { survey, choices, testAddress, whyNot } = props
  const editing = useSurveyDraft(choices.slug, survey)
  const [openQuestion, setOpenQuestion] = useState<string | undefined>(survey.content.questions[0]?.id)
  const { draft, changeContent, problems, otherChange } = editing

  return (
    <BuilderProvider value={{ content: draft.content, changeContent, problems, choices }}>
      <div className="flex flex-col gap-5">
        <ChangedMeanwhile noun="survey" otherChange={otherChange} />
        {editing.base.startsAt && (
          <Notice title="This survey was launched">
            A change of its questions or texts makes version {editing.base.version + 1}. Answers are read
            against the version they were given to.
          </Notice>
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem] 2xl:grid-cols-[minmax(0,1fr)_28rem]">
          <div className="min-w-0">
            <BuilderTabs
              {...props}
              editing={editing}
              openQuestion={openQuestion}
              onOpenQuestion={setOpenQuestion}
            />
          </div>
          <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-16">
            <Suspense fallback={<Skeleton className="h-80 w-full" />}>
              <SurveyPreview
                name={draft.name}
                content={draft.content}
                startAt={openQuestion}
                testAddress={testAddress}
              />
            </Suspense>
            <Suspense fallback={<Skeleton className="h-40 w-full" />}>
              <PlaceList draft={draft} />
            </Suspense>
          </div>
        </div>
        <SaveBar editing={editing} whyNot={whyNot} />
      </div>
    </BuilderProvider>
  )
}

function BuilderTabs({
  survey,
  status,
  choices,
  link,
  timeZone,
  whyNot,
  editing,
  openQuestion,
  onOpenQuestion,
}: SurveyBuilderProps & {
  editing: SurveyEditing
  openQuestion: string | undefined
  onOpenQuestion: (id: string | undefined) => void
}) {
  const named = useSearchParams()?.get('tab')
  const current = builderTabs.find((tab) => tab === named) ?? 'questions'
  const { draft, change } = editing
  const broken = new Set(Object.keys(editing.problems).map(tabOf))
  const contents: Record<BuilderTab, ReactNode> = {
    questions: <QuestionsTab editing={editing} openId={openQuestion} onOpen={onOpenQuestion} />,
    audience: <AudienceFields draft={draft} onChange={change} />,
    appearance: <AppearanceFields />,
    translations: <TranslationFields />,
    launch: (
      <>
        <HostedPageFields
          draft={draft}
          onChange={change}
          link={link}
          hasPin={editing.base.hostedPage.hasPin}
        />
        <LaunchPanel
          draft={draft}
          survey={survey}
          status={status}
          whyNot={whyNot}
          isUnsaved={editing.lines.length > 0}
          timeZone={timeZone}
        />
      </>
    ),
  }
  const tabs: Tab[] = builderTabs.map((tab) => ({
    value: tab,
    label: labels[tab],
    ...(broken.has(tab) && { count: 'problem' }),
    content: <TabContent>{contents[tab]}</TabContent>,
  }))

  return (
    <Tabs
      label="Parts of the survey"
      tabs={tabs}
      value={current}
      onChange={(tab) => {
        const next = builderTabs.find((one) => one === tab)
        // the address follows without a request, so that nothing unsaved is lost
        history.replaceState(null, '', paths.survey(choices.slug, survey.id, next))
      }}
    />
  )
}

const QuestionsTab = ({
  editing,
  ...list
}: { editing: SurveyEditing } & ComponentProps<typeof QuestionList>) => (
  <>
    <AboutFields editing={editing} />
    <Panel title="Questions">
      <QuestionList {...list} />
    </Panel>
    <Suspense fallback={<Skeleton className="h-40 w-full" />}>
      <ScreenFields />
    </Suspense>
  </>
)

const TabContent = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<Skeleton className="h-64 w-full" />}>
    <div className="flex flex-col gap-5">{children}</div>
  </Suspense>
)

function AboutFields({ editing: { draft, change } }: { editing: SurveyEditing }) {
  return (
    <Panel title="About">
      <div className="flex flex-col gap-4">
        <Field label="Name" {...useProblem('name')}>
          <TextInput value={draft.name} onChange={({ target }) => change({ name: target.value })} />
        </Field>
        <Field label="Note" optional hint="Only visible to members." {...useProblem('description')}>
          <Textarea rows={2} value={draft.description} onChange={(description) => change({ description })} />
        </Field>
      </div>
    </Panel>
  )
}

function useSurveyDraft(slug: string, survey: OpenedSurvey) {
  const { setDraft, ...editing } = useVersionedDraft<OpenedSurvey, SurveyDraft>(survey, {
    draftOf,
    differencesOf,
    isNewer: (one, other) => one.revision > other.revision,
    save: async (draft, base) => subjectOf(await saveSurvey(slug, base.id, changeOf(draft, base))),
    reload: async ({ id }) => subjectOf(await reloadSurvey(slug, id)),
    problemsIn: fieldProblems,
    savedMessage: ({ name }) => `${name} saved`,
    authorOf: ({ changedBy }) => changedBy,
  })
  return {
    ...editing,
    changeContent: (change: (content: SurveyContent) => SurveyContent) =>
      setDraft((before) => ({ ...before, content: change(before.content) })),
  }
}

const subjectOf = (answer: Awaited<ReturnType<typeof saveSurvey>>) =>
  answer.done ? { done: true as const, subject: answer.survey } : answer

type SurveyEditing = ReturnType<typeof useSurveyDraft>
