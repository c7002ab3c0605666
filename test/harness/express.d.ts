// The part of Express that tests use, in the shapes of its own types: a handler that fits here fits there.
declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  interface NextFunction {
    (error?: unknown): void;
    (deferToNext: 'router' | 'route'): void;
  }
  type RequestHandler = (
    request: IncomingMessage,
    response: ServerResponse,
    next: NextFunction,
  ) => void | Promise<void>;
  interface Router {
    (request: IncomingMessage, response: ServerResponse, next: NextFunction): void;
    use(path: string, handler: RequestHandler): this;
    use(handler: RequestHandler): this;
    all(path: string, handler: RequestHandler): this;
  }
  interface Application extends Router, RequestListener {
    (request: IncomingMessage, response: ServerResponse): void;
  }
  interface Express {
    (): Application;
    Router(): Router;
    json(): RequestHandler;
    text(options: { readonly type: string }): RequestHandler;
    raw(options: { readonly type: string }): RequestHandler;
  }
  const express: Express;
  // biome-ignore lint/style/noDefaultExport: as Express has it
  export default express;
}
