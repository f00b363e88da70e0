import { MissingPage } from '#studio/shell/MissingPage'

export default function InsideNotFound() {
  return <MissingPage />
}
