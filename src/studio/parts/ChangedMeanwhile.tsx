import type { ChangedNoticeProps } from './ChangedNotice'
import { lazyPanel } from './lazy-panel'

const ChangedNotice = lazyPanel(async () => (await import('./ChangedNotice')).ChangedNotice)

interface ChangedMeanwhileProps extends Pick<ChangedNoticeProps, 'noun'> {
  otherChange: ChangedNoticeProps['otherChange'] | undefined
}

/** Shows that something was saved elsewhere while it was open here; seldom, so it is loaded when it happens. */
export const ChangedMeanwhile = ({ noun, otherChange }: ChangedMeanwhileProps) =>
  otherChange && <ChangedNotice noun={noun} otherChange={otherChange} />
