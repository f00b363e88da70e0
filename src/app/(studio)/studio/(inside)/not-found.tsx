import { MissingPage } from '../../MissingPage'

export default function InsideNotFound() {
  return <MissingPage />
}
