import { valueName } from '#events/value-names'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { saveSegment } from './changes'
import type { WebQuery } from './web-query'

interface SegmentDialogProps {
  slug: string
  query: WebQuery
  /** Whether its name is that of the filters at first. */
  suggestsName: boolean
  isOpen: boolean
  close: () => void
}

/** The form of a new segment of visitors. */
export const SegmentDialog = ({ slug, query, suggestsName, isOpen, close }: SegmentDialogProps) => (
  <ChangeDialog
    title="Save as segment"
    size="sm"
    change={(formData) => saveSegment(slug, query.chips, query.segment, formData)}
    saved="Segment saved"
    open={isOpen}
    onClose={close}
    submit="Save segment"
  >
    <Field label="Name" name="name" hint="Such as “Mobile in Germany”.">
      <TextInput autoComplete="off" defaultValue={suggestsName ? segmentName(query) : undefined} />
    </Field>
    <Checkbox label="Share with the project" name="isShared" defaultChecked />
  </ChangeDialog>
)

/** Suggests a name: the values of the filters. */
const segmentName = ({ chips }: WebQuery): string =>
  chips
    .map(({ dimension, values }) => values.map((value) => valueName(dimension, value)).join(' or '))
    .join(', ')
    .slice(0, 80)
