/** What the page uses of `cribpi/companion/web/page/vendor/preact.js`. */
export interface Signal<T> {
  value: T;
  peek(): T;
  subscribe(listener: (value: T) => void): () => void;
}
export const options: { vnode?: (drawn: any) => void; debounceRendering?: (draw: () => void) => void };
export function h(type: unknown, props: unknown, ...children: unknown[]): unknown;
export function render(what: unknown, place: Element): void;
export function signal<T>(value: T): Signal<T>;
export function computed<T>(make: () => T): Signal<T>;
export function effect(run: () => void): () => void;
export function batch(run: () => void): void;
export function useState<T>(first: T | (() => T)): [T, (value: T | ((before: T) => T)) => void];
export function useEffect(run: () => void | (() => void), inputs?: unknown[]): void;
export function useLayoutEffect(run: () => void | (() => void), inputs?: unknown[]): void;
export function useRef<T>(first: T): { current: T };
export function useErrorBoundary(caught?: (error: unknown) => void): [unknown, () => void];
export const htm: { bind(make: typeof h): (strings: TemplateStringsArray, ...values: unknown[]) => unknown };
