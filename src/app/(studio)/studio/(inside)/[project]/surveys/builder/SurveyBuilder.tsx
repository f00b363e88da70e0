'use client'

import { useSearchParams } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import type { SurveyStatus } from '#surveys/survey'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { type Tab, Tabs } from '#ui/page/Tabs'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#app/paths'
import { LeavingGuard } from '#app/(studio)/LeavingGuard'
import { StudioPickers } from '#app/(studio)/insights/pickers'
import { AppearanceFields } from './AppearanceFields'
import { AudienceFields } from './AudienceFields'
import { type BuilderChoices, BuilderProvider, useProblem } from './BuilderContext'
import { type BuilderTab, builderTabs, type OpenedSurvey, tabOf } from './draft'
import { HostedPageFields } from './HostedPageFields'
import { LaunchPanel } from './LaunchPanel'
import { PlaceList } from './PlaceList'
import { QuestionList } from './QuestionList'
import { ScreenFields } from './ScreenFields'
import { SurveyPreview } from './SurveyPreview'
import { SurveySaveBar } from './SurveySaveBar'
import { TranslationFields } from './TranslationFields'
import { type SurveyEditing, useSurveyDraft } from './use-survey-draft'

export interface SurveyBuilderProps {
  survey: OpenedSurvey
  status: SurveyStatus
  choices: BuilderChoices
  /** Where the hosted page is. */
  link: string
  timeZone: string
  whyNot: string | undefined
}

const labels: Record<BuilderTab, string> = {
  questions: 'Questions',
  audience: 'Who and when',
  appearance: 'Appearance',
  translations: 'Translations',
  launch: 'Launch',
}

/** Edits a survey, with what people will see beside it. */
export function SurveyBuilder(props: SurveyBuilderProps) {
  const { survey, choices, whyNot } = props
  const editing = useSurveyDraft(choices.slug, survey)
  const [openQuestion, setOpenQuestion] = useState<string | undefined>(survey.content.questions[0]?.id)
  const { draft, changeContent, problems } = editing

  return (
    <BuilderProvider value={{ content: draft.content, changeContent, problems, choices }}>
      <StudioPickers slug={choices.slug}>
        <div className="flex flex-col gap-5">
          {editing.theirs && <ChangedMeanwhile {...editing.theirs} />}
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
              <SurveyPreview name={draft.name} content={draft.content} startAt={openQuestion} />
              <PlaceList draft={draft} />
            </div>
          </div>
          <LeavingGuard isUnsaved={editing.lines.length > 0} />
          <SurveySaveBar editing={editing} whyNot={whyNot} />
        </div>
      </StudioPickers>
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
    questions: (
      <>
        <AboutFields editing={editing} />
        <Panel title="Questions">
          <QuestionList openId={openQuestion} onOpen={onOpenQuestion} />
        </Panel>
        <ScreenFields />
      </>
    ),
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
    content: <div className="flex flex-col gap-5">{contents[tab]}</div>,
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

function AboutFields({ editing: { draft, change } }: { editing: SurveyEditing }) {
  return (
    <Panel title="About">
      <div className="flex flex-col gap-4">
        <Field label="Name" {...useProblem('name')}>
          <TextInput value={draft.name} onChange={({ target }) => change({ name: target.value })} />
        </Field>
        <Field
          label="Note"
          optional
          hint="For members; visitors never see it."
          {...useProblem('description')}
        >
          <Textarea rows={2} value={draft.description} onChange={(description) => change({ description })} />
        </Field>
      </div>
    </Panel>
  )
}

/** Shows that another member saved the survey while it was open here. */
function ChangedMeanwhile({ changedBy, lines, take, keepMine }: NonNullable<SurveyEditing['theirs']>) {
  return (
    <Notice
      tone="warning"
      urgent
      title={`${changedBy} changed this survey`}
      action={
        <>
          <Button size="sm" onClick={take}>
            Take theirs
          </Button>
          <Button size="sm" onClick={keepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      {lines.length > 0 ? `Changed: ${lines.join(', ')}.` : 'The texts are the same; its state changed.'}
    </Notice>
  )
}
