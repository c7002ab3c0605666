import { projects } from '../project.js';

/** List the projects. */
export default async () => ({ projects });
