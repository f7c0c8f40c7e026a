// The key of a decorator's metadata: cspell:ignore paramtypes
// Real servers of frameworks. Each has a route that needs a name, a missing route, and a route that fails.
import { requireFixture } from "../fixture.ts";

interface Server {
  readonly baseUrl: string;
  close(): Promise<unknown>;
}

/** Returns a package of the fixture, which has no types here. */
const packageOf = (name: string) => requireFixture("second-ring", name);
type Decorator = (target: object, name: string, descriptor?: PropertyDescriptor) => void;

const startFastify = async (): Promise<Server> => {
  const app = packageOf("fastify")();
  const schema = {
    body: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
  };
  app.post("/lists", { schema }, async () => ({}));
  app.get("/fail", async () => {
    throw new Error("the database is locked");
  });
  const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
  return { baseUrl, close: () => app.close() };
};

const startNest = async (): Promise<Server> => {
  packageOf("reflect-metadata");
  const { Body, Controller, Get, HttpException, Module, Post, ValidationPipe } =
    packageOf("@nestjs/common");
  const { NestFactory } = packageOf("@nestjs/core");
  const { IsString, MinLength } = packageOf("class-validator");

  class NewList {}
  IsString()(NewList.prototype, "name");
  MinLength(2)(NewList.prototype, "name");

  class ListsController {
    create() {
      return {};
    }
    fail() {
      throw new HttpException("the account is locked", 409);
    }
  }
  const { prototype } = ListsController;
  const decorate = (decorator: Decorator, name: "create" | "fail") =>
    decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
  // The types that a compiler would record for the decorators.
  const { defineMetadata } = Reflect as unknown as {
    defineMetadata(key: string, value: unknown, target: object, name: string): void;
  };
  defineMetadata("design:paramtypes", [NewList], prototype, "create");
  Body()(prototype, "create", 0);
  decorate(Post("lists"), "create");
  decorate(Get("fail"), "fail");
  Controller()(ListsController);
  class AppModule {}
  Module({ controllers: [ListsController] })(AppModule);

  const app = await NestFactory.create(AppModule, { logger: false });
  app.useGlobalPipes(new ValidationPipe());
  await app.listen(0, "127.0.0.1");
  return { baseUrl: await app.getUrl(), close: () => app.close() };
};

const startHapi = async (): Promise<Server> => {
  const server = packageOf("@hapi/hapi").server({ port: 0, host: "127.0.0.1", debug: false });
  const validate = {
    payload: (payload: { readonly name?: string }) => {
      if (!payload.name) throw new Error("name is required");
      return payload;
    },
    failAction: (_: unknown, __: unknown, error: Error) => {
      throw error;
    },
  };
  server.route([
    { method: "POST", path: "/lists", options: { validate }, handler: () => ({}) },
    {
      method: "GET",
      path: "/fail",
      handler: () => {
        throw new Error("the database is locked");
      },
    },
  ]);
  await server.start();
  return { baseUrl: server.info.uri, close: () => server.stop() };
};

export const FRAMEWORKS = { Fastify: startFastify, NestJS: startNest, hapi: startHapi };
