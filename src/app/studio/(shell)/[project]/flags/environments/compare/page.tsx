export {
  metadata,
  CompareEnvironmentsPage as default,
} from '#studio/flags/environments/CompareEnvironmentsPage'
