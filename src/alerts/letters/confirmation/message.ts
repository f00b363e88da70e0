export interface ConfirmationMessage {
  kind: 'confirmation'
  project: { slug: string; name: string }
  address: string
  askedBy: string
}
