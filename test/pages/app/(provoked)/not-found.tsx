export { NotFoundPage as default } from '../../../../src/app/NotFoundPage'
