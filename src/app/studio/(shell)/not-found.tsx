import { MissingPage } from '#studio/shell/MissingPage'

export default function ShellNotFound() {
  return <MissingPage />
}
